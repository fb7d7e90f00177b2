import { isatty } from 'node:tty'
import { systemClock } from '../../base/clock.js'
import { systemRandom } from '../../base/random.js'
import { type HostAccess, thisHost } from '../../client/host-access.js'
import type { KubectlEnvironment, Terminal, WriteOutput } from '../../kubectl/environment.js'
import { realFiles, runInForeground } from '../../kubectl/real-environment.js'
import { keepAliveDuring } from '../process/signals.js'

/** Runs one command of kubectl on this machine. */
export async function withHostEnvironment(run: (surroundings: KubectlEnvironment) => Promise<number>): Promise<number> {
  let code = 0
  await keepAliveDuring(async () => {
    code = await run(hostEnvironment())
  })
  return code
}

/**
 * With the first authority that it is given, Node reads all those whom the system trusts, too, and then makes no use of them. Here every
 * authority is named (client/trust.ts), so there are none to be read. This works where OpenSSL is asked for them, as ./proa wants it.
 */
function withoutRoots(): HostAccess {
  const machine = { ...thisHost(), variables: { ...process.env } }
  process.env.SSL_CERT_FILE = '/dev/null'
  return machine
}

/** Ctrl-C ends the process as it ends any other, unless the command asks for it: hardly anything has to be put in order first. */
function hostEnvironment(): KubectlEnvironment {
  return {
    host: withoutRoots(),
    clock: systemClock,
    random: systemRandom(),
    get input() {
      return process.stdin
    },
    out: outputTo(() => process.stdout),
    err: outputTo(() => process.stderr),
    pid: process.pid,
    signal: new AbortController().signal,
    interrupts,
    files: realFiles,
    runInForeground: runInForeground,
    ...(isatty(0) && { terminal }),
  }
}

/** The second one ends the process after all. */
function interrupts(): AbortSignal {
  const controller = new AbortController()
  process.once('SIGINT', () => controller.abort())
  return controller.signal
}

/** Who reads may stop to do so, as `head` does: then there is nothing left to do. */
function outputTo(stream: () => NodeJS.WriteStream): WriteOutput {
  return (text) =>
    new Promise((resolve, reject) => {
      if (text.length === 0) return resolve()
      stream().write(text, (error) => {
        if (!error) return resolve()
        if ((error as NodeJS.ErrnoException).code === 'EPIPE') process.exit(0)
        reject(error)
      })
    })
}

const terminal: Terminal = {
  enter(tell) {
    const { stdin, stdout } = process
    const told = () => tell({ columns: stdout.columns ?? 80, rows: stdout.rows ?? 24 })
    stdin.setRawMode(true)
    stdout.on('resize', told)
    told()
    return () => {
      stdout.off('resize', told)
      stdin.setRawMode(false)
      stdin.pause()
    }
  },
}
