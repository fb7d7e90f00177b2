import { backdating } from '../../wire/x509/certificate.js'

const minute = 60_000
const hour = 60 * minute

/** Nobody gets less, whatever was asked for: a certificate must outlive what its beginning lies in the past. */
const shortest = 10 * minute
/** To those that live less, the part of life that lies in the past would be missing. */
const short = 8 * hour

export interface LifeAsked {
  readonly now: number
  /** `--cluster-signing-duration`: nobody gets more. */
  readonly most: number
  /** `spec.expirationSeconds` */
  readonly seconds?: number | undefined
  /** When the certificate of the signer ends. */
  readonly signerEnds: number
}

export interface Validity {
  readonly notBefore: number
  readonly notAfter: number
}

/** All times in milliseconds. Throws where the signer has no life left itself. */
export function validityOf({ now, most, seconds, signerEnds }: LifeAsked): Validity {
  if (now >= signerEnds)
    throw new Error(
      `the certificate of the signer has expired: it was valid until ${new Date(signerEnds).toISOString()}`,
    )
  const life = lifeOf(most, seconds)
  const end = now + life - (life < short ? 0 : backdating)
  return { notBefore: now - backdating, notAfter: Math.min(end, signerEnds) }
}

function lifeOf(most: number, seconds: number | undefined): number {
  if (seconds === undefined || seconds * 1000 > most) return most
  return Math.max(seconds * 1000, shortest)
}
