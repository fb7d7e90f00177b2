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
 * The expressions by which origins are named. Each must be tied to both ends, or it would also cover those who chose their name for
 * it: by `^` or `//` to the beginning, by `$` or the colon before a port to the end. Throws, in a sentence, where one is not.
 */
export function readOrigins(texts: readonly string[]): readonly RegExp[] {
  return texts.map((text) => {
    const isTied = /^\^|\/\//.test(text) && /\$$|:/.test(text.replace(/^.*\/\//, ''))
    if (!isTied)
      throw new Error('each expression must begin with ^ or hold //, and end with $ or hold a colon for the port')
    return new RegExp(text)
  })
}

/** Lets pages of certain origins make requests from a browser. It asks before it does, and shows no credentials for that. */
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
