import type { Json } from '#schemas/event.ts'
import { isObject, own } from '#schemas/json.ts'

/** A request to one of the sample's services, as far as they look at it. */
interface ServiceRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  /** Null where it is no JSON. */
  readonly body: Json
}

interface ServiceAnswer {
  readonly status: number
  readonly body: Json
}

/** Answer at a path; `at` are the texts of its pattern's groups. */
export interface ServiceRoute {
  readonly method: string
  readonly path: RegExp
  readonly answer: (request: ServiceRequest, at: readonly string[]) => Json
}

export const answerOf = (routes: readonly ServiceRoute[], request: ServiceRequest): ServiceAnswer => {
  for (const { method, path, answer } of routes) {
    const match = method === request.method ? path.exec(request.path) : null
    if (match === null) continue
    return { status: method === 'POST' ? 201 : 200, body: answer(request, match.slice(1)) }
  }
  return { status: 404, body: { message: 'Not found' } }
}

/** The member of a body with this name as text, '' for none. */
export const said = (body: Json, name: string): string => {
  const value = isObject(body) ? own(body, name) : undefined
  return typeof value === 'string' ? value : ''
}
