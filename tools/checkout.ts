/** What `./proa` runs in a checkout: builds the script that the command line needs if its sources have changed, and then runs it. */
import { join } from 'node:path'
import { scriptFor } from '../src/bin/script-choice.js'
import { isFresh } from './inputs.js'

const root = join(__dirname, '..', '..', '..')
const script = scriptFor(process.argv.slice(2))
if (isFresh(root, script)) {
  // This file has it in it, so that Node need not look for a second one.
  require('../src/bin/proa.js')
} else {
  build()
  // What this file has in it is as old as the script was.
  require(join(__dirname, 'proa.cjs'))
}

/** What the build says goes to standard error: somebody may be reading the output of the command. */
function build(): void {
  const { spawnSync } = require('node:child_process') as typeof import('node:child_process')
  const { status } = spawnSync('sh', [join(root, 'tools', 'build.sh'), script], { stdio: ['ignore', 2, 2] })
  if (status !== 0) process.exit(status ?? 1)
}
