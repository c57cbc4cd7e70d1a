import type { Json } from '#schemas/event.ts'
import type { OutboundAnswer, OutboundRequest } from '../../outbound/call.ts'
import { answerOf, type ServiceRoute } from './answer.ts'
import { clinicService } from './clinic.ts'
import { energyService } from './energy.ts'
import { retailService } from './retail.ts'

const bodyOf = (text: string | undefined): Json => {
  try {
    return JSON.parse(text ?? 'null') as Json
  } catch {
    return null
  }
}

/** With what is escaped in it, where that can be read. */
const pathOf = ({ pathname }: URL): string => {
  try {
    return decodeURIComponent(pathname)
  } catch {
    return pathname
  }
}

/**
 * The outside systems that the sample's bots call, answered by the gateway itself. Their hosts end in `.example`, which
 * is reserved (RFC 2606): nothing that is there for others is hidden. Undefined for every other address.
 */
export const openSampleService = (): ((request: OutboundRequest) => OutboundAnswer | undefined) => {
  const retail = retailService()
  const hosts: ReadonlyMap<string, readonly ServiceRoute[]> = new Map([
    ['prontuario.valeclaro.example', clinicService()],
    ['api.ventania.example', energyService()],
    ['api.casalume.example', retail],
    ['pagamentos.casalume.example', retail],
  ])
  return request => {
    const url = URL.parse(request.url)
    const routes = url?.protocol === 'https:' ? hosts.get(url.host) : undefined
    if (url === null || routes === undefined) return undefined
    const { status, body } = answerOf(routes, {
      method: request.method,
      path: pathOf(url),
      query: url.searchParams,
      body: bodyOf(request.body),
    })
    const bytes = new TextEncoder().encode(JSON.stringify(body))
    return {
      status,
      url: url.href,
      redirects: 0,
      headers: [['content-type', 'application/json']],
      body: bytes.subarray(0, request.most),
      truncated: bytes.length > request.most,
    }
  }
}
