import { Buffer } from 'node:buffer'
import { realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { TarEntry } from '../../base/tar/writer.js'
import { fileContent } from './file-content.js'
import { type Image, thisArchitecture } from './image.js'
import { finishLayer } from './image-archive.js'
import { sharedLibraries } from './shared-libraries.js'

/** Two versions, so that users can try an update. They are tagged, because a node does not pull a tagged image that is present. */
const versions = [
  { names: ['docker.io/proa/hello:1', 'docker.io/proa/hello:latest'], greeting: 'Hello' },
  { names: ['docker.io/proa/hello:2'], greeting: 'Ahoy' },
]

/** The name with the default tag. */
export const helloImageName = 'docker.io/proa/hello:latest'

/** The response names the pod, which shows how a service balances requests. SIGTERM ends the server at once. */
const server = `const { createServer } = require('node:http')
const { hostname } = require('node:os')

const port = Number(process.env.PORT || 80)
createServer((request, response) => {
  console.log(request.method, request.url)
  response.setHeader('content-type', 'text/plain; charset=utf-8')
  response.end(process.env.GREETING + ' from ' + hostname() + '\\n')
}).listen(port, () => console.log('listening on port', port))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(0))
`

/** Creates images of a small web server from the running Node: its binary, its shared libraries and a script. */
export async function helloImages(program = process.execPath): Promise<Image[]> {
  const libraries = await sharedLibraries(program)
  const folders = [...new Set(libraries.map((library) => dirname(library)))]
  // All versions share the large layer, so that its digest is computed once.
  const node = await finishLayer([
    await copied(program, 'bin/node'),
    ...(await Promise.all(libraries.map((path) => copied(path, path.slice(1))))),
  ])
  return versions.map(({ names, greeting }) => ({
    names,
    architecture: thisArchitecture(),
    config: {
      Entrypoint: ['/bin/node'],
      Cmd: ['/hello.js'],
      Env: ['PATH=/bin', `LD_LIBRARY_PATH=${folders.join(':')}`, `GREETING=${greeting}`],
      ExposedPorts: { '80/tcp': {} },
    },
    layers: [node, [{ type: 'file', path: 'hello.js', content: Buffer.from(server) }]],
  }))
}

async function copied(from: string, to: string): Promise<TarEntry> {
  const path = await realpath(from)
  const { size } = await stat(path)
  return { type: 'file', path: to, mode: 0o755, content: fileContent(path, size) }
}
