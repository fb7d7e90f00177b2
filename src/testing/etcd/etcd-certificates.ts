import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Files in PEM form. */
export interface EtcdCertificates {
  readonly cafile: string
  readonly server: { readonly certfile: string; readonly keyfile: string }
  readonly client: { readonly certfile: string; readonly keyfile: string }
}

/** Creates an authority, a server certificate for the given addresses, and a client certificate. */
export async function createEtcdCertificates(folder: string, addresses: readonly string[]): Promise<EtcdCertificates> {
  const authority = await sign(folder, 'ca', ['basicConstraints=critical,CA:TRUE', 'keyUsage=keyCertSign'])
  const alternatives = `subjectAltName=${addresses.map((address) => `IP:${address}`).join(',')}`
  // Members also use this certificate as clients of each other.
  const server = await sign(folder, 'server', ['extendedKeyUsage=serverAuth,clientAuth', alternatives], authority)
  const client = await sign(folder, 'client', ['extendedKeyUsage=clientAuth'], authority)
  return { cafile: authority.certfile, server, client }
}

async function sign(
  folder: string,
  name: string,
  extensions: readonly string[],
  authority?: { readonly certfile: string; readonly keyfile: string },
) {
  const [certfile, keyfile, request] = ['crt', 'key', 'csr'].map((suffix) => join(folder, `${name}.${suffix}`)) as [
    string,
    string,
    string,
  ]
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', keyfile]
  const subject = ['-subj', `/CN=proa-test-${name}`]
  if (!authority) {
    const added = extensions.flatMap((extension) => ['-addext', extension])
    await run('openssl', ['req', '-x509', '-days', '2', ...newKey, ...subject, ...added, '-out', certfile])
  } else {
    const extensionFile = join(folder, `${name}.ext`)
    await writeFile(extensionFile, extensions.join('\n'))
    await run('openssl', ['req', '-new', ...newKey, ...subject, '-out', request])
    const by = ['-CA', authority.certfile, '-CAkey', authority.keyfile, '-CAcreateserial']
    await run('openssl', [
      'x509',
      '-req',
      '-days',
      '2',
      '-in',
      request,
      ...by,
      '-extfile',
      extensionFile,
      '-out',
      certfile,
    ])
  }
  return { certfile, keyfile }
}
