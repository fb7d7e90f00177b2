import type { Credential } from './certificate.js'

export interface KubeconfigParts {
  /** `https://127.0.0.1:6443` */
  readonly server: string
  /** The certificate by which clients know the server, in PEM form. */
  readonly authority: string
  readonly admin: Credential
}

/** How a client gets in as administrator. Holds a secret key. */
export function adminKubeconfig({ server, authority, admin }: KubeconfigParts): string {
  return `apiVersion: v1
kind: Config
clusters:
- name: proa
  cluster:
    server: ${server}
    certificate-authority-data: ${base64(authority)}
users:
- name: kubernetes-admin
  user:
    client-certificate-data: ${base64(admin.cert)}
    client-key-data: ${base64(admin.key)}
contexts:
- name: proa
  context:
    cluster: proa
    user: kubernetes-admin
current-context: proa
`
}

function base64(pem: string): string {
  return Buffer.from(pem).toString('base64')
}
