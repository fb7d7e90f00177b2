import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { moduleLists, writeModuleLists } from '../../tools/module-lists.js'
import { ConfigMap } from '../api/core/v1/config-map.js'
import { parseFlags } from '../base/flags/flags.js'
import { keyOf } from '../client/informers/informer.js'
import { startTestApiServer } from '../testing/servers/api-server.js'
import { inProcessClient } from '../testing/servers/clients.js'
import { definitions as existing, flagsOf, rolesOf } from './catalogue.js'
import type { ControllerDefinition } from './definition.js'
import { inProcessTransports, startControllers } from './manager.js'

const compiled = fileURLToPath(new URL('../..', import.meta.url))
const checkout = resolve(compiled, '..')

/** Copies the folders of the controllers, adds that of the toy, and returns the definitions that the build finds then. */
async function definitionsWithToy(context: TestContext): Promise<readonly ControllerDefinition[]> {
  const root = mkdtempSync(join(tmpdir(), 'proa-toy-'))
  context.after(() => rmSync(root, { recursive: true }))
  for (const { file } of moduleLists) mkdirSync(join(root, dirname(file)), { recursive: true })
  const controllers = join(root, 'src/controllers')
  cpSync(join(checkout, 'src/controllers'), controllers, { recursive: true })
  cpSync(join(controllers, 'runtime/toy-controller.test.kit.ts'), join(controllers, 'greeting/controller.ts'))
  writeModuleLists(root)
  const outfile = join(root, 'definitions.mjs')
  const plugins = [withCompiledModules(root)]
  await build({ entryPoints: [join(controllers, 'definitions.ts')], outfile, bundle: true, format: 'esm', plugins })
  return (await import(pathToFileURL(outfile).href)).definitions
}

/** Compiles nothing but the toy and the list: all other modules are those of this process. */
function withCompiledModules(root: string): Plugin {
  return {
    name: 'compiled-modules',
    setup({ onResolve }) {
      onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) => {
        const module = relative(root, resolve(resolveDir, path))
        if (module === 'src/controllers/greeting/controller.js') return undefined
        const file = join(compiled, module)
        assert.ok(existsSync(file), `${module} is not compiled`)
        return { path: pathToFileURL(file).href, external: true }
      })
    },
  }
}

test('a new folder is all that a new controller needs: flag, role, account and loop derive from it', async (context) => {
  const definitions = await definitionsWithToy(context)
  assert.deepEqual(
    definitions.map(({ name }) => name).filter((name) => !existing.some((each) => each.name === name)),
    ['greeting-controller'],
  )
  const flags = { controllers: ['greeting'], ...parseFlags(flagsOf(definitions), ['--greeting-text=hi']) }
  await using server = await startTestApiServer({ options: { controllerRoles: rolesOf(definitions) } })
  const controllers = startControllers({
    environment: server.environment,
    definitions,
    flags,
    ...inProcessTransports(server.api.handleInProcess),
  })
  assert.deepEqual(controllers.names, ['greeting-controller'])
  await controllers.synced()
  const client = inProcessClient(server)
  const labels = { greet: 'yes' }
  const { metadata } = await client
    .resource(ConfigMap)
    .create({ metadata: { name: 'm', namespace: 'default', labels } })
  const maps = controllers.informers.of(ConfigMap)
  while (maps.get(keyOf({ metadata }))?.data?.greeting === undefined)
    await new Promise<void>((resolve) => {
      const unsubscribe = maps.onChange(() => {
        unsubscribe()
        resolve()
      })
    })
  assert.deepEqual(maps.get(keyOf({ metadata }))?.data, { greeting: 'hi' })
  await controllers.close()
  client.close()
})
