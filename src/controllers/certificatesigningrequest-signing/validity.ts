import { backdating } from '../../wire/x509/certificate.js'

const minute = 60_000
const hour = 60 * minute

/** The shortest lifetime, whatever the request asks for: a certificate must outlive its backdating. */
const minLifetime = 10 * minute
/** A shorter lifetime is not reduced by the backdating. */
const shortLifetime = 8 * hour

/** All times in milliseconds. */
export interface RequestedLifetime {
  readonly now: number
  /** `--cluster-signing-duration`: the longest lifetime. */
  readonly maxDuration: number
  /** `spec.expirationSeconds` */
  readonly seconds?: number | undefined
  /** When the certificate of the signer expires. */
  readonly signerEnds: number
}

export interface Validity {
  readonly notBefore: number
  readonly notAfter: number
}

/** Throws if the certificate of the signer has expired. */
export function validityOf({ now, maxDuration, seconds, signerEnds }: RequestedLifetime): Validity {
  if (now >= signerEnds)
    throw new Error(
      `the certificate of the signer has expired: it was valid until ${new Date(signerEnds).toISOString()}`,
    )
  const lifetime = lifetimeOf(maxDuration, seconds)
  const end = now + lifetime - (lifetime < shortLifetime ? 0 : backdating)
  return { notBefore: now - backdating, notAfter: Math.min(end, signerEnds) }
}

function lifetimeOf(maxDuration: number, seconds: number | undefined): number {
  if (seconds === undefined || seconds * 1000 > maxDuration) return maxDuration
  return Math.max(seconds * 1000, minLifetime)
}
