import { after, before, describe, test } from 'node:test'
import type { JsonObject } from '../../schema/declaration.js'
import { startTestApiServer, type TestApiServer } from '../servers/api-server.js'
import { Kubectl, kubectlMissing } from './kubectl.js'

/** A test of kubectl, in a namespace that nobody else uses. */
export type KubectlTest = (kubectl: Kubectl, server: TestApiServer) => Promise<void>

/** Registers tests that share one server, or one cluster, and one home, several of them at a time. */
export function kubectlSuite(
  name: string,
  tests: Readonly<Record<string, KubectlTest>>,
  start: () => Promise<TestApiServer> = startTestApiServer,
): void {
  const skip = kubectlMissing()
  describe(name, { concurrency: 3, skip }, () => {
    let server: TestApiServer
    let kubectl: Kubectl
    before(async () => {
      server = await start()
      kubectl = new Kubectl(server)
    })
    after(async () => {
      kubectl.close()
      await server.close()
    })
    for (const [index, [sentence, run]] of Object.entries(tests).entries())
      test(sentence, { timeout: 60_000 }, async () => run(await kubectl.inNewNamespace(`test-${index}`), server))
  })
}

export function configMap(name: string, data: Readonly<Record<string, string>> = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data }
}

export function deploymentWithImage(name: string, image = 'nginx:1', replicas = 2): JsonObject {
  const labels = { app: name }
  const spec = { containers: [{ name: 'main', image, ports: [{ containerPort: 80 }] }] }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  }
}

export function podManifest(name: string, labels: Readonly<Record<string, string>> = {}): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels },
    spec: { containers: [{ name: 'main', image: 'busybox' }] },
  }
}

export function nodeManifest(name: string): JsonObject {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name } }
}
