import type { Call } from '#runtime/outbound/call.ts'

/** Leads calls of fixed hosts to a double; all else goes over the network as it does. */
export const leading =
  (call: Call, hosts: readonly string[], url: string): Call =>
  request => {
    const { origin } = new URL(request.url)
    return call(hosts.includes(origin) ? { ...request, url: request.url.replace(origin, url) } : request)
  }
