import type { Environment } from '../../base/environment.js'
import { quote } from '../../schema/quote.js'
import { type Files, fileError } from '../host-access.js'
import { bearer, type Credential, type CredentialSource } from './credential.js'
import { RotatingFile } from './rotating-file.js'

export interface FileDependencies {
  readonly files: Pick<Files, 'read'>
  readonly environment: Pick<Environment, 'clock' | 'log'>
}

/** Reads a token from a file. `fallback` is the token until the file can be read. */
export function tokenFile(path: string, { files, environment }: FileDependencies, fallback = ''): CredentialSource {
  const read = async () => ({ authorization: bearer(await readToken(path, files)) })
  return new RotatingFile(read, environment, fallback === '' ? undefined : { authorization: bearer(fallback) })
}

async function readToken(path: string, files: Pick<Files, 'read'>): Promise<string> {
  const content = await files.read(path).catch((error: unknown) => {
    throw new Error(`failed to read token file ${quote(path)}: ${fileError('open', path, error).message}`)
  })
  const token = content.trim()
  if (token === '') throw new Error(`read empty token from file ${quote(path)}`)
  return token
}

/** A certificate and its key, each in PEM form or in a file. */
export interface CertificateFiles {
  readonly cert: PemSource
  readonly key: PemSource
}

export type PemSource = { readonly pem: string } | { readonly path: string }

export function certificateFiles(parts: CertificateFiles, { files, environment }: FileDependencies): CredentialSource {
  return new RotatingFile(async (): Promise<Credential> => {
    const [cert, key] = await Promise.all([readPem(parts.cert, files), readPem(parts.key, files)])
    return { certificate: { cert, key } }
  }, environment)
}

export async function readPem(part: PemSource, files: Pick<Files, 'read'>): Promise<string> {
  if ('pem' in part) return part.pem
  return files.read(part.path).catch((error: unknown) => {
    throw fileError('open', part.path, error)
  })
}
