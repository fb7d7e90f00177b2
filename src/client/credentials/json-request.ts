import { sendHttp } from '../../wire/http/http-client.js'

export interface JsonRequest {
  readonly url: string
  /** The CA of the server's certificate, in PEM form. */
  readonly authority?: string | undefined
  /** Makes it a POST. */
  readonly form?: URLSearchParams
  readonly authorization?: string
  readonly signal?: AbortSignal | undefined
}

export interface JsonResponse {
  readonly status: number
  /** `404 Not Found` */
  readonly statusText: string
  /** Undefined if the body is not JSON. */
  readonly value: unknown
  readonly text: string
}

const maxResponseBytes = 1 << 20

/** Sends a request to a server that is no API server, on a connection of its own. Rejects if there is no complete response. */
export async function requestJson({ url, authority, form, authorization, signal }: JsonRequest): Promise<JsonResponse> {
  const response = await sendHttp({
    method: form ? 'POST' : 'GET',
    url,
    headers: {
      accept: 'application/json',
      ...(authorization && { authorization }),
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    body: form?.toString(),
    tls: { ca: authority || undefined },
    signals: signal ? [signal] : [],
  })
  const text = await response.text(maxResponseBytes)
  const { status, statusText } = response
  return { status, statusText: `${status} ${statusText}`, value: parseJson(text), text }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
