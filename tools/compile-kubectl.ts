/**
 * compile-kubectl.js FILE: keeps the form into which Node compiles kubectl's script, as src/bin/compiled-script.ts loads it. Only what has
 * run is compiled, so it asks a server for pods first.
 */
import { rmSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compiledForm, loadCompiled } from '../src/bin/compiled-script.js'
import { startTestApiServer } from '../src/testing/api-server.js'

const [filename] = process.argv.slice(2)
if (!filename) throw new Error('name the script')
rmSync(compiledForm(filename), { force: true })
const { script, exports } = loadCompiled<typeof import('../src/bin/kubectl.js')>(filename)
await using server = await startTestApiServer()
const cache = await mkdtemp(join(tmpdir(), 'proa-build-'))
try {
  const silent = { write: (_: unknown, done?: () => void) => done?.() }
  for (const name of ['stdout', 'stderr']) Object.defineProperty(process, name, { value: silent })
  const line = ['get', 'namespaces', '--kubeconfig', server.kubeconfig, '--cache-dir', cache]
  // The second time it finds in its cache what the first one has learned.
  for (const round of [1, 2]) {
    const code = await exports.kubectlCommand(line)
    if (code !== 0) throw new Error(`kubectl ended with ${code} in round ${round}`)
  }
  writeFileSync(compiledForm(filename), script.createCachedData())
} finally {
  rmSync(cache, { recursive: true, force: true })
}
