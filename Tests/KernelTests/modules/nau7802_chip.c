// SPDX-License-Identifier: MIT OR GPL-2.0-only
/*
 * A NAU7802 for the tests: an I2C bus with the registers of the chip at address 0x2a, and the client that the kernel's own
 * driver, nau7802, binds to.
 *
 * As in the data sheet (Nuvoton, NAU7802, revision 1.7): PU_CTRL bit 3 says that the chip is powered up, bit 5 that a
 * conversion is complete; reading the result clears bit 5; bits 4 to 6 of CTRL2 are the rate. The result is three registers,
 * which a conversion changes all at once, also between two reads of the driver.
 *
 * Parameters, in /sys/module/nau7802_chip/parameters: value, the count in two's complement; noise, its peak in counts.
 */
#include <linux/i2c.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/property.h>
#include <linux/random.h>

enum { PU_CTRL = 0x00, CTRL2 = 0x02, ADCO = 0x12, REGISTERS = 0x20 };
enum { RESET = BIT(0), DIGITAL_ON = BIT(1), POWERED = BIT(3), READY = BIT(5) };

static int value;
static unsigned int noise;
module_param(value, int, 0644);
module_param(noise, uint, 0644);

static u8 registers[REGISTERS];
static ktime_t next;

/* The bus serialises transfers, so there is no lock here. */
static void convert(void)
{
	static const unsigned int rates[8] = { 10, 20, 40, 80, 80, 80, 80, 320 };
	ktime_t now = ktime_get();
	u32 result;
	int error;

	if (ktime_before(now, next))
		return;
	error = noise ? (int)(get_random_u32() % (2 * noise + 1)) - (int)noise : 0;
	result = (u32)(READ_ONCE(value) + error);
	registers[ADCO] = result >> 16;
	registers[ADCO + 1] = result >> 8;
	registers[ADCO + 2] = result;
	registers[PU_CTRL] |= READY;
	next = ktime_add_us(now, 1000000 / rates[(registers[CTRL2] >> 4) & 7]);
}

static s32 transfer(struct i2c_adapter *bus, u16 address, unsigned short flags, char direction, u8 command, int size,
		    union i2c_smbus_data *data)
{
	if (address != 0x2a)
		return -ENXIO;
	if (size == I2C_SMBUS_QUICK)
		return 0;
	if (size != I2C_SMBUS_BYTE_DATA || command >= REGISTERS)
		return -EOPNOTSUPP;
	if (direction == I2C_SMBUS_READ) {
		convert();
		data->byte = registers[command];
		if (command == ADCO)
			registers[PU_CTRL] &= ~READY;
	} else if (command == PU_CTRL && (data->byte & RESET)) {
		memset(registers, 0, sizeof(registers));
	} else if (command == PU_CTRL) {
		registers[PU_CTRL] = (registers[PU_CTRL] & READY) | (data->byte & ~(POWERED | READY));
		if (data->byte & DIGITAL_ON)
			registers[PU_CTRL] |= POWERED;
	} else {
		registers[command] = data->byte;
	}
	return 0;
}

static u32 functionality(struct i2c_adapter *bus)
{
	return I2C_FUNC_SMBUS_QUICK | I2C_FUNC_SMBUS_BYTE_DATA;
}

static const struct i2c_algorithm algorithm = { .smbus_xfer = transfer, .functionality = functionality };
static struct i2c_adapter bus = { .name = "nau7802-chip", .algo = &algorithm };
static const struct property_entry properties[] = { PROPERTY_ENTRY_U32("nuvoton,vldo", 3000), { } };
static const struct software_node node = { .properties = properties };
static struct i2c_client *client;

static int __init insert(void)
{
	static const struct i2c_board_info chip = { I2C_BOARD_INFO("nau7802", 0x2a), .swnode = &node };
	int error = i2c_add_adapter(&bus);

	if (error)
		return error;
	client = i2c_new_client_device(&bus, &chip);
	if (IS_ERR(client)) {
		i2c_del_adapter(&bus);
		return PTR_ERR(client);
	}
	return 0;
}

static void __exit withdraw(void)
{
	i2c_unregister_device(client);
	i2c_del_adapter(&bus);
}

module_init(insert);
module_exit(withdraw);
MODULE_DESCRIPTION("Simulated NAU7802, for tests");
MODULE_LICENSE("Dual MIT/GPL");
