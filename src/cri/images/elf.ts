import { Buffer } from 'node:buffer'

/** Processor names of images and Go. */
export type Architecture = 'amd64' | 'arm64'

/** Machine numbers of ELF. */
const machines: Readonly<Record<Architecture, number>> = { amd64: 62, arm64: 183 }

const headerSize = 64
const programHeaderSize = 56
/** The usual load address of executables, aligned to the largest page size of Linux. */
const loadAddress = 0x400000n
const alignment = 0x10000n

/**
 * Wraps machine code in a static ELF executable without libraries or writable data. Execution starts at the first byte of the code.
 * Headers and code form one segment, readable and executable.
 */
export function elfExecutable(architecture: Architecture, code: Buffer): Buffer {
  const header = Buffer.alloc(headerSize + programHeaderSize)
  const codeOffset = BigInt(header.length)
  header.set([0x7f, 0x45, 0x4c, 0x46]) // ␡ELF
  header.set([2, 1, 1], 4) // 64 bits, little-endian, version 1
  header.writeUInt16LE(2, 16) // an executable at a fixed address
  header.writeUInt16LE(machines[architecture], 18)
  header.writeUInt32LE(1, 20) // version 1
  header.writeBigUInt64LE(loadAddress + codeOffset, 24) // entry point
  header.writeBigUInt64LE(BigInt(headerSize), 32) // offset of the program header
  header.writeUInt16LE(headerSize, 52)
  header.writeUInt16LE(programHeaderSize, 54)
  header.writeUInt16LE(1, 56) // one program header

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
