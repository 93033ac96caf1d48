"""Reads a table written by `kibitzer label` or `kibitzer explore --table`, and checks every checksum: python3 read_table.py FILE
Prints one line per position: layer, state (in hexadecimal) and, if there are labels, outcome, length and Grundy value."""

import json, struct, sys, zlib


def leb128(data, at):
    number = shift = 0
    while True:
        number |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 128:
            return number, at


data = open(sys.argv[1], "rb").read()
magic, version, length = struct.unpack_from("<8sII", data)
assert magic == b"KIBTABLE" == data[-8:] and version == 1, "not a table, or a different version"
assert zlib.crc32(data[: 16 + length]) == struct.unpack_from("<I", data, 16 + length)[0], "the header is damaged"
meta = json.loads(data[16 : 16 + length])
width, (place, count, crc) = meta["width"], struct.unpack_from("<QQI", data, len(data) - 28)
assert zlib.crc32(data[place:-12]) == crc, "the index is damaged"
for layer, bucket, offset, size, states in struct.iter_unpack("<IIQQQ", data[place : place + 32 * count]):
    end = offset + size
    while offset < end:
        number, first, second, crc = struct.unpack_from("<IIII", data, offset)
        at, label = offset + 16, offset + 16 + first
        assert zlib.crc32(data[at : label + second], zlib.crc32(data[offset : offset + 12])) == crc, "a block is damaged"
        for n in range(number):
            if n == 0:
                state, at = data[at : at + width], at + width
            elif 1 <= width <= 7:
                gap, at = leb128(data, at)
                state = (int.from_bytes(state, "little") + gap).to_bytes(width, "little")
            else:
                shared, at = leb128(data, at)
                state, at = state[:shared] + data[at : at + width - shared], at + width - shared
            worth, label = leb128(data, label) if meta["labels"] else (0, label)
            grundy, label = leb128(data, label) if meta["labels"] else (0, label)
            print(layer, state.hex(), *(["PDN"[worth % 3], worth // 3, grundy] if meta["labels"] else []))
        offset += 16 + first + second
