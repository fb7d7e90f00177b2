/** How one may pull from a registry. Never logged, never part of an event or an error. */
export interface RegistryCredential {
  /** As it was written: `registry.example:5000/team`, `https://index.docker.io/v1/`, `*.example.org`. */
  readonly registry: string
  readonly username: string
  readonly password: string
  /** Tells whether two are the same. */
  readonly hash: string
  /** Where it is from. */
  readonly secret: SecretIdentity
}

export interface SecretIdentity {
  readonly uid: string
  readonly namespace: string
  readonly name: string
}
