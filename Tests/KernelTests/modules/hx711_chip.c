// SPDX-License-Identifier: MIT OR GPL-2.0-only
/*
 * An HX711 for the tests: two GPIO lines that behave like the chip's PD_SCK and DOUT, a supply voltage, and the platform
 * device that the kernel's own driver, hx711, binds to.
 *
 * As in the data sheet (AVIA Semiconductor, HX711): DOUT falls when a conversion is complete; each rising edge of PD_SCK
 * shifts out one of 24 bits in two's complement, the highest first; after 25 to 27 pulses DOUT is high until the next
 * conversion. The gain is not simulated.
 *
 * Parameters, in /sys/module/hx711_chip/parameters: value, the count in two's complement; noise, its peak in counts;
 * period_ms, the duration of a conversion; stuck, 1: DOUT stays high, as without a supply or with a broken wire.
 */
#include <linux/gpio/driver.h>
#include <linux/gpio/machine.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/random.h>
#include <linux/regulator/driver.h>
#include <linux/regulator/machine.h>
#include <linux/spinlock.h>

#define LABEL "hx711-chip"
#define CONSUMER "hx711-gpio"
enum { SCK, DOUT, LINES };

static int value;
static unsigned int noise, period_ms = 100;
static bool stuck;
module_param(value, int, 0644);
module_param(noise, uint, 0644);
module_param(period_ms, uint, 0644);
module_param(stuck, bool, 0644);

static DEFINE_RAW_SPINLOCK(lock);
static ktime_t next;
static u32 shifting;
static unsigned int pulses;
static bool clock_high, dout_high;

/* Completes the conversions that are due. A new one waits while the bits of the last one are being shifted out. */
static void convert(void)
{
	ktime_t now = ktime_get();
	int error;

	if (READ_ONCE(stuck)) {
		dout_high = true;
		pulses = 25;
		return;
	}
	if (ktime_before(now, next) || (pulses > 0 && pulses < 25))
		return;
	error = noise ? (int)(get_random_u32() % (2 * noise + 1)) - (int)noise : 0;
	shifting = (u32)(READ_ONCE(value) + error) & 0xffffff;
	pulses = 0;
	dout_high = false;
	next = ktime_add_ms(now, max(1u, READ_ONCE(period_ms)));
}

static void set_line(struct gpio_chip *chip, unsigned int line, int high)
{
	unsigned long flags;

	if (line != SCK)
		return;
	raw_spin_lock_irqsave(&lock, flags);
	if (high && !clock_high) {
		dout_high = pulses < 24 ? (shifting >> (23 - pulses)) & 1 : true;
		pulses++;
	}
	clock_high = high;
	raw_spin_unlock_irqrestore(&lock, flags);
}

static int get_line(struct gpio_chip *chip, unsigned int line)
{
	unsigned long flags;
	bool high;

	raw_spin_lock_irqsave(&lock, flags);
	if (line == DOUT)
		convert();
	high = line == DOUT ? dout_high : clock_high;
	raw_spin_unlock_irqrestore(&lock, flags);
	return high;
}

static int direction_input(struct gpio_chip *chip, unsigned int line)
{
	return line == DOUT ? 0 : -EINVAL;
}

static int direction_output(struct gpio_chip *chip, unsigned int line, int high)
{
	if (line != SCK)
		return -EINVAL;
	set_line(chip, line, high);
	return 0;
}

static struct gpio_chip lines = {
	.label = LABEL,
	.base = -1,
	.ngpio = LINES,
	.direction_input = direction_input,
	.direction_output = direction_output,
	.get = get_line,
	.set = set_line,
};

static struct gpiod_lookup_table table = {
	.dev_id = CONSUMER,
	.table = {
		GPIO_LOOKUP(LABEL, SCK, "sck", GPIO_ACTIVE_HIGH),
		GPIO_LOOKUP(LABEL, DOUT, "dout", GPIO_ACTIVE_HIGH),
		{ }
	},
};

static struct regulator_consumer_supply supply = REGULATOR_SUPPLY("avdd", CONSUMER);
static const struct regulator_init_data supplies = {
	.constraints = { .always_on = 1 },
	.num_consumer_supplies = 1,
	.consumer_supplies = &supply,
};
static const struct regulator_ops no_operations;
static const struct regulator_desc regulator = {
	.name = "hx711-avdd",
	.type = REGULATOR_VOLTAGE,
	.ops = &no_operations,
	.n_voltages = 1,
	.fixed_uV = 3300000,
};

static struct platform_device *chip, *consumer;

static int __init insert(void)
{
	struct regulator_config config = { .init_data = &supplies };
	struct regulator_dev *avdd;
	int error;

	chip = platform_device_register_simple(LABEL, PLATFORM_DEVID_NONE, NULL, 0);
	if (IS_ERR(chip))
		return PTR_ERR(chip);
	config.dev = &chip->dev;
	avdd = devm_regulator_register(&chip->dev, &regulator, &config);
	if (IS_ERR(avdd)) {
		error = PTR_ERR(avdd);
		goto unregister_chip;
	}
	lines.parent = &chip->dev;
	error = gpiochip_add_data(&lines, NULL);
	if (error)
		goto unregister_chip;
	gpiod_add_lookup_table(&table);
	consumer = platform_device_register_simple(CONSUMER, PLATFORM_DEVID_NONE, NULL, 0);
	if (IS_ERR(consumer)) {
		error = PTR_ERR(consumer);
		goto remove_lines;
	}
	return 0;

remove_lines:
	gpiod_remove_lookup_table(&table);
	gpiochip_remove(&lines);
unregister_chip:
	platform_device_unregister(chip);
	return error;
}

static void __exit withdraw(void)
{
	platform_device_unregister(consumer);
	gpiod_remove_lookup_table(&table);
	gpiochip_remove(&lines);
	platform_device_unregister(chip);
}

module_init(insert);
module_exit(withdraw);
MODULE_DESCRIPTION("Simulated HX711, for tests");
MODULE_LICENSE("Dual MIT/GPL");
