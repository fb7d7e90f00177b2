/** What `proa/testing` leads to, once it is built: everything in one script that Node has compiled before, as modules load slowly. */
import { fileURLToPath } from 'node:url'
import { loadCompiled } from '../base/compiled-script.js'

type Library = typeof import('./index.js')

const filename = fileURLToPath(new URL('testing.script', import.meta.url))
export const { startCluster } = loadCompiled<Library>(filename).exports
