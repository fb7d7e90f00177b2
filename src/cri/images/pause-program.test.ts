import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { programMissing } from '../../testing/processes/programs.js'
import type { Architecture } from './elf.js'
import { pauseProgram } from './pause-program.js'

const folder = mkdtempSync(join(tmpdir(), 'proa-pause-'))
after(() => rmSync(folder, { recursive: true }))

/** The emulator for another processor, from Debian's qemu-user. */
const own: Architecture | undefined = process.arch === 'x64' ? 'amd64' : process.arch === 'arm64' ? 'arm64' : undefined
const emulators: Readonly<Record<Architecture, string>> = { amd64: 'qemu-x86_64', arm64: 'qemu-aarch64' }

for (const architecture of ['amd64', 'arm64'] as const) {
  const emulated = architecture === own ? [] : [emulators[architecture]]
  const skip = emulated[0] ? programMissing(emulated[0]) : false
  const program = join(folder, architecture)
  writeFileSync(program, pauseProgram(architecture), { mode: 0o755 })
  const command = [...emulated, program]

  describe(`the pause program for ${architecture}`, { skip }, () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      test(`waits for ${signal} and exits with code 0`, async () => {
        const pause = spawn(command[0]!, command.slice(1))
        await waits(pause.pid!)
        pause.kill(signal)
        assert.deepEqual(await once(pause, 'exit'), [0, null])
      })

    test('reaps children that died before its start, and later ones', async () => {
      // The shell starts two children and then execs the program: one child is dead by then, the other dies later.
      const pause = spawn('sh', ['-c', `true & sleep 0.2 & exec ${command.join(' ')}`])
      await waits(pause.pid!)
      await until(() => childrenOf(pause.pid!).length === 0)
      pause.kill('SIGTERM')
      assert.deepEqual(await once(pause, 'exit'), [0, null])
    })
  })
}

test('the pause program works as process 1 of a namespace: it exits on SIGTERM and reaps orphans', {
  skip: process.getuid?.() !== 0 ? 'a process namespace takes root' : !own && 'no pause program for this processor',
}, async () => {
  const program = join(folder, own!)
  const namespace = spawn('unshare', ['--pid', '--fork', '--kill-child', program])
  const pause = await childOf(namespace.pid!)
  await waits(pause)
  // A process that leaves an orphan in the namespace.
  const parent = ['--target', String(pause), '--pid', 'sh', '-c', 'sh -c "sleep 0.1; exit 3" & exit 0']
  assert.equal(spawnSync('nsenter', parent).status, 0)
  await until(() => childrenOf(pause).length === 0)
  process.kill(pause, 'SIGTERM')
  assert.deepEqual(await once(namespace, 'exit'), [0, null])
})

test('the pause program fits into one page of memory', () => {
  for (const architecture of ['amd64', 'arm64'] as const) assert.ok(pauseProgram(architecture).length < 512)
})

/** Whether a thread is in `rt_sigtimedwait`; its number depends on the processor. Emulators have several threads. */
async function waits(pid: number): Promise<void> {
  const threads = () => readdirSync(`/proc/${pid}/task`)
  await until(() =>
    threads().some((task) => /^(128|137) /.test(readFileSync(`/proc/${pid}/task/${task}/syscall`, 'utf8'))),
  )
}

async function childOf(pid: number): Promise<number> {
  await until(() => childrenOf(pid).length === 1)
  return childrenOf(pid)[0]!
}

/** Includes zombies. */
function childrenOf(pid: number): number[] {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return processes.filter((name) => parentOf(name) === pid).map(Number)
}

function parentOf(pid: string): number | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name, in brackets, may contain any character; state and parent follow.
    return Number(line.slice(line.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return undefined // it ended meanwhile
  }
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries++) {
    if (tries > 4000) throw new Error('it does not come to pass')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
