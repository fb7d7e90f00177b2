/** The fields of a kubeconfig and their types, for decoding. Unknown fields are ignored. */
export type Shape =
  | { readonly is: 'string' | 'bool' | 'bytes' | 'anything' }
  | { readonly is: 'list'; readonly of: Shape; readonly goType: string }
  | { readonly is: 'map'; readonly of: Shape; readonly goType: string }
  | { readonly is: 'object'; readonly fields: Readonly<Record<string, Shape>>; readonly goType: string }
  /** A list of named entries in the file, a map in memory. `under` is the field that contains the entry. */
  | { readonly is: 'named'; readonly of: Shape; readonly under: string; readonly goType: string; readonly map: string }

const text: Shape = { is: 'string' }
const flag: Shape = { is: 'bool' }
const bytes: Shape = { is: 'bytes' }
const texts: Shape = { is: 'list', of: text, goType: '[]string' }

const extensions: Shape = {
  is: 'named',
  of: { is: 'anything' },
  under: 'extension',
  goType: 'NamedExtension',
  map: 'runtime.Object',
}

const cluster: Shape = {
  is: 'object',
  goType: 'Cluster',
  fields: {
    server: text,
    'tls-server-name': text,
    'insecure-skip-tls-verify': flag,
    'certificate-authority': text,
    'certificate-authority-data': bytes,
    'proxy-url': text,
    'disable-compression': flag,
    extensions,
  },
}

const execVariable: Shape = { is: 'object', goType: 'ExecEnvVar', fields: { name: text, value: text } }

const exec: Shape = {
  is: 'object',
  goType: 'ExecConfig',
  fields: {
    command: text,
    args: texts,
    env: { is: 'list', of: execVariable, goType: '[]v1.ExecEnvVar' },
    apiVersion: text,
    installHint: text,
    provideClusterInfo: flag,
    interactiveMode: text,
  },
}

const user: Shape = {
  is: 'object',
  goType: 'AuthInfo',
  fields: {
    'client-certificate': text,
    'client-certificate-data': bytes,
    'client-key': text,
    'client-key-data': bytes,
    token: text,
    tokenFile: text,
    as: text,
    'as-uid': text,
    'as-groups': texts,
    'as-user-extra': { is: 'map', of: texts, goType: 'map[string][]string' },
    username: text,
    password: text,
    'auth-provider': {
      is: 'object',
      goType: 'AuthProviderConfig',
      fields: { name: text, config: { is: 'map', of: text, goType: 'map[string]string' } },
    },
    exec,
    extensions,
  },
}

const context: Shape = {
  is: 'object',
  goType: 'Context',
  fields: { cluster: text, user: text, namespace: text, extensions },
}

export const kubeconfigShape = {
  is: 'object',
  goType: 'Config',
  fields: {
    preferences: { is: 'object', goType: 'Preferences', fields: { colors: flag, extensions } },
    clusters: { is: 'named', of: cluster, under: 'cluster', goType: 'NamedCluster', map: 'api.Cluster' },
    users: { is: 'named', of: user, under: 'user', goType: 'NamedAuthInfo', map: 'api.AuthInfo' },
    contexts: { is: 'named', of: context, under: 'context', goType: 'NamedContext', map: 'api.Context' },
    'current-context': text,
    extensions,
  },
} as const satisfies Shape
