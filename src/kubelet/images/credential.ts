/** A credential for a registry. It must never appear in a log, an event or an error. */
export interface RegistryCredential {
  /** As written: `registry.example:5000/team`, `https://index.docker.io/v1/`, `*.example.org`. */
  readonly registry: string
  readonly username: string
  readonly password: string
  /** Identifies equal credentials. */
  readonly hash: string
  /** The Secret that it comes from. */
  readonly secret: SecretIdentity
}

export interface SecretIdentity {
  readonly uid: string
  readonly namespace: string
  readonly name: string
}
