import { Buffer } from 'node:buffer'

/** As images and Go name processors. */
export type Architecture = 'amd64' | 'arm64'

/** As ELF numbers them. */
const machines: Readonly<Record<Architecture, number>> = { amd64: 62, arm64: 183 }

const headerSize = 64
const programHeaderSize = 56
/** Where the file lies in the memory of its process: the usual place, and whole pages of any size that Linux has. */
const loadAddress = 0x400000n
const alignment = 0x10000n

/**
 * A program as Linux loads it, around machine code that needs nothing but the kernel: no libraries, no data that it writes to.
 * Execution begins with the first byte of the code. Headers and code are one segment, readable and executable.
 */
export function elfExecutable(architecture: Architecture, code: Buffer): Buffer {
  const header = Buffer.alloc(headerSize + programHeaderSize)
  const codeOffset = BigInt(header.length)
  header.set([0x7f, 0x45, 0x4c, 0x46]) // ␡ELF
  header.set([2, 1, 1], 4) // 64 bits, little-endian, version 1
  header.writeUInt16LE(2, 16) // an executable at a fixed address
  header.writeUInt16LE(machines[architecture], 18)
  header.writeUInt32LE(1, 20) // version 1
  header.writeBigUInt64LE(loadAddress + codeOffset, 24) // where execution begins
  header.writeBigUInt64LE(BigInt(headerSize), 32) // where the program header is
  header.writeUInt16LE(headerSize, 52)
  header.writeUInt16LE(programHeaderSize, 54)
  header.writeUInt16LE(1, 56) // there is one

  const size = codeOffset + BigInt(code.length)
  const program = header.subarray(headerSize)
  program.writeUInt32LE(1, 0) // a segment to load
  program.writeUInt32LE(4 | 1, 4) // readable, executable
  program.writeBigUInt64LE(0n, 8) // from the beginning of the file
  program.writeBigUInt64LE(loadAddress, 16)
  program.writeBigUInt64LE(loadAddress, 24)
  program.writeBigUInt64LE(size, 32) // in the file
  program.writeBigUInt64LE(size, 40) // in memory
  program.writeBigUInt64LE(alignment, 48)
  return Buffer.concat([header, code])
}
