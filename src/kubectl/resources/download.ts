import type { HostAccess } from '../../client/host-access.js'
import { systemRoots } from '../../client/https/system-roots.js'
import { sendHttp } from '../../wire/http/http-client.js'

const maxRedirects = 10

/** Downloads a URL. Verifies certificates with the CAs of the system. */
export async function download(address: string, host: HostAccess): Promise<string> {
  const ca = await systemRoots(host)
  let url = new URL(address)
  for (let redirects = 0; ; redirects++) {
    const response = await sendHttp({ url, tls: { ca } })
    const { status, statusText, headers } = response
    const text = await response.text()
    if (status >= 200 && status < 300) return text
    if (status < 300 || status >= 400 || headers.location === undefined || redirects === maxRedirects)
      throw new Error(`unable to read URL "${address}", server reported ${status} ${statusText}, status code=${status}`)
    url = new URL(headers.location, url)
  }
}
