import { resolve } from 'node:path'
import { csvList, text } from '../../base/flags/flag-types.js'
import { fileError } from '../../client/host-access.js'
import type { JsonObject } from '../../schema/declaration.js'
import { configMapKey } from '../../schema/identifiers.js'
import { quote } from '../../schema/quote.js'
import { commandGroup } from '../command.js'
import type { KubectlEnvironment } from '../environment.js'
import { browserSafe } from '../printers/json.js'
import { generator, noTimestamp } from './generator.js'
import { type AddPair, hashFlag, readFiles, readSources, sourceFlags, withContentHash } from './key-values.js'

const generic = generator({
  usage:
    'NAME [--type=string] [--from-file=[key=]source] [--from-literal=key1=value1] [--dry-run=server|client|none] [options]',
  about: 'Create a secret from files, directories or literal values.',
  examples: ['kubectl create secret generic login --from-literal=user=jane --from-file=password.txt'],
  flags: { ...sourceFlags, ...hashFlag, type: text('The type of the secret') },
  failure: 'failed to create secret ',
  build: async ({ flags, factory }, name) => {
    const data: Record<string, string> = {}
    await readSources(flags, factory.environment, into(data))
    return secret(name, { data, type: flags.type, isHashed: flags['append-hash'] })
  },
})

const tls = generator({
  usage: 'NAME --cert=path/to/cert/file --key=path/to/key/file [--dry-run=server|client|none] [options]',
  about: 'Create a TLS secret from a certificate and its key.',
  examples: ['kubectl create secret tls web --cert=web.crt --key=web.key'],
  flags: { ...hashFlag, cert: text('File with the certificate'), key: text('File with the private key') },
  failure: 'failed to create secret ',
  build: async ({ flags, factory: { environment } }, name) => {
    if (flags.key === '' || flags.cert === '') throw new Error('key and cert must be specified')
    const certificate = await read(flags.cert, environment)
    const key = await read(flags.key, environment)
    const { keyPairProblem } = await import('../../api/core/v1/secret/tls-key-pair.js')
    const problem = keyPairProblem(certificate.toString(), key.toString())
    if (problem !== undefined) throw new Error(problem)
    const data = { 'tls.crt': certificate.toString('base64'), 'tls.key': key.toString('base64') }
    return secret(name, { data, type: 'kubernetes.io/tls', isHashed: flags['append-hash'] })
  },
})

const dockerRegistry = generator({
  usage:
    'NAME --docker-username=user --docker-password=password --docker-email=email [--docker-server=string] [--from-file=[key=]source] [--dry-run=server|client|none] [options]',
  about: 'Create a secret with credentials for an image registry.',
  examples: [
    'kubectl create secret docker-registry pull --docker-server=registry.example.com --docker-username=jane --docker-password=…',
  ],
  flags: {
    ...hashFlag,
    'docker-email': text('E-mail address of the user'),
    'docker-password': text('Password of the user'),
    'docker-server': text('The registry', { initial: 'https://index.docker.io/v1/' }),
    'docker-username': text('User name for the registry'),
    'from-file': csvList('Docker configuration file: .dockerconfigjson=PATH'),
  },
  failure: 'failed to create secret ',
  build: async ({ flags, factory }, name) => {
    const { 'from-file': files, 'docker-server': server } = flags
    const { 'docker-username': username, 'docker-password': password, 'docker-email': email } = flags
    if (files.length === 0 && (username === '' || password === '' || server === ''))
      throw new Error(
        'either --from-file or the combination of --docker-username, --docker-password and --docker-server is required',
      )
    const data: Record<string, string> = {}
    if (files.length > 0) await readFiles(files, factory.environment, into(data))
    else data['.dockerconfigjson'] = base64(loginText(server, { username, password, email }))
    return secret(name, { data, type: 'kubernetes.io/dockerconfigjson', isHashed: flags['append-hash'] })
  },
})

export const createSecret = commandGroup({
  about: 'Create a secret of the given type.',
  subcommands: {
    'docker-registry': { about: 'Create a secret for use with a Docker registry', load: async () => dockerRegistry },
    generic: { about: 'Create a secret from a local file, directory, or literal value', load: async () => generic },
    tls: { about: 'Create a TLS secret', load: async () => tls },
  },
})

interface Login {
  readonly username: string
  readonly password: string
  readonly email: string
}

/** The format of Docker's configuration file. */
function loginText(server: string, { username, password, email }: Login): string {
  const auth = base64(`${username}:${password}`)
  const login = { username, password, ...(email !== '' && { email }), auth }
  return browserSafe(JSON.stringify({ auths: { [server]: login } }))
}

function base64(content: string): string {
  return Buffer.from(content).toString('base64')
}

function into(data: Record<string, string>): AddPair {
  return (key, value) => {
    const problems = configMapKey(key)
    if (problems.length > 0) throw new Error(`${quote(key)} is not valid key name for a Secret ${problems.join(';')}`)
    if (Object.hasOwn(data, key)) throw new Error(`cannot add key ${key}, another key by that name already exists`)
    data[key] = value.toString('base64')
  }
}

async function read(path: string, { files: folders, host }: KubectlEnvironment): Promise<Buffer> {
  try {
    return Buffer.from(await folders.bytes(resolve(host.workingDirectory, path)))
  } catch (error) {
    throw new Error(`Cannot read file ${path}, ${fileError('open', path, error).message}`, { cause: error })
  }
}

interface SecretParts {
  readonly data: Readonly<Record<string, string>>
  readonly type: string
  readonly isHashed: boolean
}

function secret(name: string, { data, type, isHashed }: SecretParts): JsonObject {
  const object = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { ...noTimestamp, name },
    ...(Object.keys(data).length > 0 && { data }),
    ...(type !== '' && { type }),
  }
  return isHashed ? withContentHash(object, { data, type }) : object
}
