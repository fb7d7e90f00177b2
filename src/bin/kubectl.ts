import { systemClock } from '../base/clock.js'
import { systemRandom } from '../base/random.js'
import { thisMachine } from '../client/machine.js'

export { isKubectlCommand } from '../kubectl/command-names.js'

import { kubectl } from '../kubectl/main.js'
import { realCacheFiles, realFolders } from '../kubectl/real-files.js'
import { runInForeground } from '../kubectl/real-programs.js'
import type { Output, Surroundings, Terminal } from '../kubectl/surroundings.js'
import { stayingAlive } from './signals.js'

/** `kubectl …` on this machine. Kept apart from all other commands, so that it loads nothing that it does not need. */
export async function kubectlCommand(args: readonly string[]): Promise<number> {
  let code = 0
  await stayingAlive(async () => {
    code = await kubectl(args, surroundings(), realCacheFiles)
  })
  return code
}

/** Ctrl-C ends the process as it ends any other: nothing here has to be put in order first. */
function surroundings(): Surroundings {
  return {
    machine: thisMachine(),
    clock: systemClock,
    random: systemRandom(),
    input: process.stdin,
    out: outputTo(process.stdout),
    err: outputTo(process.stderr),
    pid: process.pid,
    signal: new AbortController().signal,
    folders: realFolders,
    foreground: runInForeground,
    ...(process.stdin.isTTY && { terminal }),
  }
}

/** Who reads may stop to do so, as `head` does: then there is nothing left to do. */
function outputTo(stream: NodeJS.WriteStream): Output {
  return (text) =>
    new Promise((resolve, reject) => {
      if (text.length === 0) return resolve()
      stream.write(text, (error) => {
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
