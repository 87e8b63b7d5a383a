// SPDX-License-Identifier: MIT OR GPL-2.0-only
/*
 * A converter of the industrial I/O subsystem for the tests: one voltage channel whose value can be set.
 *
 * Parameters, in /sys/module/converter/parameters:
 *   value      count of the channel; each sample adds noise to it
 *   noise      peak of the noise in counts, uniformly distributed
 *   period_ms  duration of a conversion: a read blocks for this time
 *   hold       1: a read blocks until this is 0, also one that has begun before
 *   held       number of reads that have been blocked (read-only)
 *   reads      number of samples that were read from sysfs (read-only)
 *   name       name of the device (when the module is inserted)
 *   trigger    1: the device has a buffer and a trigger of its own, which fires once per period (when it is inserted)
 */
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/iio/buffer.h>
#include <linux/iio/iio.h>
#include <linux/iio/trigger.h>
#include <linux/iio/trigger_consumer.h>
#include <linux/iio/triggered_buffer.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/random.h>
#include <linux/version.h>

static int value;
static unsigned int noise, period_ms = 100, held, reads;
static char *name = "converter";
static bool trigger, hold;
module_param(value, int, 0644);
module_param(noise, uint, 0644);
module_param(period_ms, uint, 0644);
module_param(hold, bool, 0644);
module_param(held, uint, 0444);
module_param(reads, uint, 0444);
module_param(name, charp, 0444);
module_param(trigger, bool, 0444);

static struct platform_device *parent;
static struct iio_dev *device;
static struct iio_trigger *clock;
static struct hrtimer timer;

static int sample(void)
{
	int error = noise ? (int)(get_random_u32() % (2 * noise + 1)) - (int)noise : 0;

	return READ_ONCE(value) + error;
}

static int read_raw(struct iio_dev *iio, struct iio_chan_spec const *channel, int *val, int *val2, long mask)
{
	switch (mask) {
	case IIO_CHAN_INFO_RAW:
		/* Interruptible, so that a process that is killed can end. */
		if (msleep_interruptible(READ_ONCE(period_ms)))
			return -EINTR;
		if (READ_ONCE(hold))
			held++;
		while (READ_ONCE(hold))
			if (msleep_interruptible(READ_ONCE(period_ms)))
				return -EINTR;
		*val = sample();
		reads++;
		return IIO_VAL_INT;
	case IIO_CHAN_INFO_SCALE:
		*val = 0;
		*val2 = 596;
		return IIO_VAL_INT_PLUS_NANO;
	default:
		return -EINVAL;
	}
}

static const struct iio_info operations = { .read_raw = read_raw };

static const struct iio_chan_spec channels[] = {
	{
		.type = IIO_VOLTAGE,
		.indexed = 1,
		.channel = 0,
		.info_mask_separate = BIT(IIO_CHAN_INFO_RAW),
		.info_mask_shared_by_type = BIT(IIO_CHAN_INFO_SCALE),
		.scan_index = 0,
		.scan_type = { .sign = 'u', .realbits = 24, .storagebits = 32, .endianness = IIO_CPU },
	},
	IIO_CHAN_SOFT_TIMESTAMP(1),
};

static irqreturn_t push(int irq, void *context)
{
	struct iio_poll_func *poll = context;
	struct {
		u32 value;
		s64 time __aligned(8);
	} scan = { .value = sample() };

	iio_push_to_buffers_with_timestamp(poll->indio_dev, &scan, poll->timestamp);
	iio_trigger_notify_done(poll->indio_dev->trig);
	return IRQ_HANDLED;
}

static enum hrtimer_restart fire(struct hrtimer *expired)
{
	hrtimer_forward_now(expired, ms_to_ktime(max(1u, READ_ONCE(period_ms))));
	iio_trigger_poll(clock);
	return HRTIMER_RESTART;
}

static int set_trigger_state(struct iio_trigger *this, bool on)
{
	if (on)
		hrtimer_start(&timer, ms_to_ktime(max(1u, READ_ONCE(period_ms))), HRTIMER_MODE_REL_HARD);
	else
		hrtimer_cancel(&timer);
	return 0;
}

static const struct iio_trigger_ops trigger_operations = { .set_trigger_state = set_trigger_state };

static int add_trigger(void)
{
	int error;

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
	hrtimer_setup(&timer, fire, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
#else
	hrtimer_init(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	timer.function = fire;
#endif
	clock = iio_trigger_alloc(&parent->dev, "%s-dev0", name);
	if (!clock)
		return -ENOMEM;
	clock->ops = &trigger_operations;
	/* The device holds its trigger, which would otherwise keep this module from being removed. */
	clock->owner = NULL;
	error = iio_trigger_register(clock);
	if (error)
		goto free_trigger;
	error = iio_triggered_buffer_setup(device, iio_pollfunc_store_time, push, NULL);
	if (error)
		goto unregister_trigger;
	device->trig = iio_trigger_get(clock);
	return 0;

unregister_trigger:
	iio_trigger_unregister(clock);
free_trigger:
	iio_trigger_free(clock);
	return error;
}

static void remove_trigger(void)
{
	iio_triggered_buffer_cleanup(device);
	iio_trigger_unregister(clock);
	hrtimer_cancel(&timer);
	iio_trigger_free(clock);
}

static int __init insert(void)
{
	int error;

	parent = platform_device_register_simple("converter", PLATFORM_DEVID_NONE, NULL, 0);
	if (IS_ERR(parent))
		return PTR_ERR(parent);
	device = iio_device_alloc(&parent->dev, 0);
	if (!device) {
		error = -ENOMEM;
		goto unregister_parent;
	}
	device->name = name;
	device->info = &operations;
	device->modes = INDIO_DIRECT_MODE;
	device->channels = channels;
	device->num_channels = trigger ? 2 : 1;
	error = trigger ? add_trigger() : 0;
	if (error)
		goto free_device;
	error = iio_device_register(device);
	if (error)
		goto cleanup_trigger;
	return 0;

cleanup_trigger:
	if (trigger)
		remove_trigger();
free_device:
	iio_device_free(device);
unregister_parent:
	platform_device_unregister(parent);
	return error;
}

static void __exit withdraw(void)
{
	iio_device_unregister(device);
	if (trigger)
		remove_trigger();
	iio_device_free(device);
	platform_device_unregister(parent);
}

module_init(insert);
module_exit(withdraw);
MODULE_DESCRIPTION("Converter with a settable value, for tests");
MODULE_LICENSE("Dual MIT/GPL");
