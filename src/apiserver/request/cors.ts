import { textResponse } from '../response/response.js'
import type { PipelineStage } from './request-context.js'

const allowed: Readonly<Record<string, string>> = {
  'access-control-allow-methods': 'POST, GET, OPTIONS, PUT, DELETE, PATCH',
  'access-control-allow-headers':
    'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since',
  'access-control-expose-headers': 'Date',
  'access-control-allow-credentials': 'true',
}

/**
 * Parses the patterns of origins. Each must be anchored at both ends (by `^` or `//`, and by `$` or the colon of a port), or an attacker could
 * choose a domain that matches it. Throws if one is not.
 */
export function readOrigins(texts: readonly string[]): readonly RegExp[] {
  return texts.map((text) => {
    const isTied = /^\^|\/\//.test(text) && /\$$|:/.test(text.replace(/^.*\/\//, ''))
    if (!isTied)
      throw new Error('each expression must begin with ^ or hold //, and end with $ or hold a colon for the port')
    return new RegExp(text)
  })
}

/** Allows pages of certain origins to send requests from a browser. Preflight requests have no credentials, so this runs before authentication. */
export function corsStage(origins: readonly RegExp[]): PipelineStage {
  return {
    name: 'cors',
    run(context) {
      const { headers, method } = context.request
      const { origin } = headers
      if (origin === undefined) return
      context.headers.vary = 'Origin'
      if (!origins.some((pattern) => pattern.test(origin))) return
      Object.assign(context.headers, allowed, { 'access-control-allow-origin': origin })
      if (method === 'OPTIONS') context.response = textResponse(204, '')
    },
  }
}
