import type { X509KeyPair } from '../../wire/x509/issuer.js'

export interface KubeconfigParts {
  /** `https://127.0.0.1:6443` */
  readonly server: string
  /** The certificate by which clients know the server, in PEM form. */
  readonly authority: string
  readonly user: string
  readonly credential: X509KeyPair
}

/** How a client gets in. Holds a secret key. */
export function kubeconfigOf({ server, authority, user, credential }: KubeconfigParts): string {
  return `apiVersion: v1
kind: Config
clusters:
- name: proa
  cluster:
    server: ${server}
    certificate-authority-data: ${base64(authority)}
users:
- name: ${user}
  user:
    client-certificate-data: ${base64(credential.cert)}
    client-key-data: ${base64(credential.key)}
contexts:
- name: proa
  context:
    cluster: proa
    user: ${user}
current-context: proa
`
}

function base64(pem: string): string {
  return Buffer.from(pem).toString('base64')
}
