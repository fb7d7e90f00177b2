import type { Buffer } from 'node:buffer'
import { Assembly } from './assembly.js'
import { type Architecture, elfExecutable } from './elf.js'

/**
 * Returns the program that keeps a sandbox alive. It is the first process of the pod. If containers share a process namespace, it is the
 * parent of all orphans and must reap them. In pseudocode:
 *
 *     block SIGINT, SIGTERM and SIGCHLD
 *     reap: do wait4(any child, without waiting) until none is dead
 *     wait: sigtimedwait(those three)
 *           SIGCHLD → reap;  an error → wait;  anything else → exit(0)
 *
 * Blocked signals stay pending, also for process 1, which otherwise gets no signal that it has no handler for. So there are no handlers
 * and no race: a child that dies between `reap` and `wait` leaves its signal pending. The machine code is written here byte by byte,
 * because a sandbox must start without a network, and not every host has a compiler.
 */
export function pauseProgram(architecture: Architecture): Buffer {
  return elfExecutable(architecture, architecture === 'amd64' ? pauseForAmd64() : pauseForArm64())
}

/** Bit n-1 is signal n: SIGINT is 2, SIGTERM 15, SIGCHLD 17, on both processors. */
const signals = (1 << 1) | (1 << 14) | (1 << 16)
const sigchld = 17

/** System call number in eax; arguments in rdi, rsi, rdx, r10; the result in rax. */
function pauseForAmd64(): Buffer {
  const code = new Assembly()
  const jump = (opcode: number) => ({ size: 2, encode: (distance: number) => Uint8Array.of(opcode, distance - 2) })
  const byte = (number: number, index: number) => (number >> (8 * index)) & 0xff
  const systemCall = (number: number) => {
    code.bytes(0xb8, byte(number, 0), byte(number, 1), 0, 0) // mov eax, number
    code.bytes(0x0f, 0x05) // syscall
  }
  // rt_sigprocmask(SIG_BLOCK = 0, &signals, none, 8)
  code.bytes(0x68, byte(signals, 0), byte(signals, 1), byte(signals, 2), 0) // push signals
  code.bytes(0x31, 0xff) // xor edi, edi
  code.bytes(0x48, 0x89, 0xe6) // mov rsi, rsp
  code.bytes(0x31, 0xd2) // xor edx, edx
  code.bytes(0x41, 0xba, 8, 0, 0, 0) // mov r10d, 8
  systemCall(14)

  // wait4(-1, none, WNOHANG = 1, none)
  code.label('reap')
  code.bytes(0x48, 0xc7, 0xc7, 0xff, 0xff, 0xff, 0xff) // mov rdi, -1
  code.bytes(0x31, 0xf6) // xor esi, esi
  code.bytes(0xba, 1, 0, 0, 0) // mov edx, 1
  code.bytes(0x45, 0x31, 0xd2) // xor r10d, r10d
  systemCall(61)
  code.bytes(0x85, 0xc0) // test eax, eax
  code.jump('reap', jump(0x7f)) // jg: the result is the pid of a reaped child

  // rt_sigtimedwait(&signals, none, none, 8)
  code.label('wait')
  code.bytes(0x48, 0x89, 0xe7) // mov rdi, rsp
  code.bytes(0x31, 0xf6) // xor esi, esi
  code.bytes(0x31, 0xd2) // xor edx, edx
  code.bytes(0x41, 0xba, 8, 0, 0, 0) // mov r10d, 8
  systemCall(128)
  code.bytes(0x83, 0xf8, sigchld) // cmp eax, SIGCHLD
  code.jump('reap', jump(0x74)) // je
  code.bytes(0x85, 0xc0) // test eax, eax
  code.jump('wait', jump(0x78)) // js: interrupted

  // exit_group(0)
  code.bytes(0x31, 0xff) // xor edi, edi
  systemCall(231)
  return code.finish()
}

/** System call number in x8; arguments in x0 to x3; the result in x0. Register 31 is the stack pointer here. */
function pauseForArm64(): Buffer {
  const code = new Assembly()
  const set = (register: number, value: number) => code.word(0xd2800000 | (value << 5) | register) // movz
  const addressOfSignals = (register: number) => code.word(0x91000000 | (31 << 5) | register) // add x, sp, #0
  const compareResult = (value: number) => code.word(0xf100001f | (value << 10)) // cmp x0, #value
  const jump = (condition: number) => ({
    size: 4,
    encode: (distance: number) => word(0x54000000 | (((distance >> 2) & 0x7ffff) << 5) | condition),
  })
  const [equal, less, greater] = [0, 11, 12]
  const systemCall = (number: number) => {
    set(8, number)
    code.word(0xd4000001) // svc #0
  }
  // rt_sigprocmask(SIG_BLOCK = 0, &signals, none, 8)
  set(9, signals & 0xffff)
  code.word(0xf2a00000 | ((signals >> 16) << 5) | 9) // movk x9, #high, lsl #16
  code.word(0xf8000c00 | (0x1f0 << 12) | (31 << 5) | 9) // str x9, [sp, #-16]!
  set(0, 0)
  addressOfSignals(1)
  set(2, 0)
  set(3, 8)
  systemCall(135)

  // wait4(-1, none, WNOHANG = 1, none)
  code.label('reap')
  code.word(0x92800000) // movn x0, #0: all bits set
  set(1, 0)
  set(2, 1)
  set(3, 0)
  systemCall(260)
  compareResult(0)
  code.jump('reap', jump(greater))

  // rt_sigtimedwait(&signals, none, none, 8)
  code.label('wait')
  addressOfSignals(0)
  set(1, 0)
  set(2, 0)
  set(3, 8)
  systemCall(137)
  compareResult(sigchld)
  code.jump('reap', jump(equal))
  compareResult(0)
  code.jump('wait', jump(less))

  // exit_group(0)
  set(0, 0)
  systemCall(94)
  return code.finish()
}

function word(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value, true)
  return bytes
}
