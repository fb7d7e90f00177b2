import type { ConfigObjects } from './config-objects.js'

interface TestObjects {
  readonly configMaps?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly secrets?: Readonly<Record<string, Readonly<Record<string, string | Buffer>>>>
}

/** The same objects in every namespace. */
export function configObjects({ configMaps = {}, secrets = {} }: TestObjects = {}): ConfigObjects {
  const common = (name: string, namespace: string) => ({ apiVersion: 'v1', metadata: { name, namespace } })
  return {
    configMap: async (namespace, name) =>
      configMaps[name] && { ...common(name, namespace), kind: 'ConfigMap', data: configMaps[name] },
    secret: async (namespace, name) =>
      secrets[name] && {
        ...common(name, namespace),
        kind: 'Secret',
        data: Object.fromEntries(
          Object.entries(secrets[name]).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
        ),
      },
  }
}
