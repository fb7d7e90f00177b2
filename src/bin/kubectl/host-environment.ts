import { isatty } from 'node:tty'
import { systemClock } from '../../base/clock.js'
import { systemRandom } from '../../base/random.js'
import { type HostAccess, thisHost } from '../../client/host-access.js'
import type { KubectlEnvironment, Terminal, WriteOutput } from '../../kubectl/environment.js'
import { realFiles, runInForeground } from '../../kubectl/real-environment.js'
import { keepAliveDuring } from '../process/signals.js'

/** Runs one command of kubectl in the environment of this host. */
export async function withHostEnvironment(run: (surroundings: KubectlEnvironment) => Promise<number>): Promise<number> {
  let code = 0
  await keepAliveDuring(async () => {
    code = await run(hostEnvironment())
  })
  return code
}

/**
 * Node reads all root certificates of the system when it gets its first CA, and then does not use them. Our client names every CA itself, so
 * an empty file saves that time. This works with OpenSSL's certificate store, which `./proa` selects.
 */
function hostWithoutRootCertificates(): HostAccess {
  const host = { ...thisHost(), variables: { ...process.env } }
  process.env.SSL_CERT_FILE = '/dev/null'
  return host
}

/** Ctrl-C ends the process at once, unless the command calls `interrupts`: few commands have something to clean up. */
function hostEnvironment(): KubectlEnvironment {
  return {
    host: hostWithoutRootCertificates(),
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

/** Returns a signal that the first Ctrl-C aborts. The second one ends the process. */
function interrupts(): AbortSignal {
  const controller = new AbortController()
  process.once('SIGINT', () => controller.abort())
  return controller.signal
}

/** Ends the process with code 0 when the reader of a pipe stops reading, as `head` does. */
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
  enter(onResize) {
    const { stdin, stdout } = process
    const resized = () => onResize({ columns: stdout.columns ?? 80, rows: stdout.rows ?? 24 })
    stdin.setRawMode(true)
    stdout.on('resize', resized)
    resized()
    return () => {
      stdout.off('resize', resized)
      stdin.setRawMode(false)
      stdin.pause()
    }
  },
}
