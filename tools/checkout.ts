/** The program that `./proa` runs in a checkout: builds the script of the command line if its sources have changed, and runs it. */
import { join } from 'node:path'
import { scriptFor } from '../src/bin/script-choice.js'
import { isFresh } from './inputs.js'

const root = join(__dirname, '..', '..', '..')
const script = scriptFor(process.argv.slice(2))
if (isFresh(root, script)) {
  // Bundled into this file, so that Node reads one file less.
  require('../src/bin/proa.js')
} else {
  build()
  // The launcher in this file is as old as the script was, so load the new one.
  require(join(__dirname, 'proa.cjs'))
}

/** The output of the build goes to standard error, because a program may read the output of the command. */
function build(): void {
  const { spawnSync } = require('node:child_process') as typeof import('node:child_process')
  const { status } = spawnSync('sh', [join(root, 'tools', 'build.sh'), script], { stdio: ['ignore', 2, 2] })
  if (status !== 0) process.exit(status ?? 1)
}
