import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AwsV4Signer } from 'aws4fetch'

export const S3_KEYS = { AWS_ACCESS_KEY_ID: 'AKIAPARLEY', AWS_SECRET_ACCESS_KEY: 'a/secret+key' }

/** A status, or no answer, a body that ends early, or one that never ends. */
type Fault = number | 'silent' | 'cut' | 'stalled'

export interface S3Server {
  readonly endpoint: string
  /** Objects by `/bucket/key`. */
  readonly objects: Map<string, { content: Buffer; modified: Date; type: string }>
  /** Faults of the next requests, in turn. */
  readonly faults: Fault[]
  close(): Promise<void>
}

/** Most keys of one listing. */
const PAGE = 5

const isSigned = async (request: IncomingMessage, body: Buffer, origin: string): Promise<boolean> => {
  const { authorization = '', 'x-amz-date': datetime } = request.headers
  if (typeof datetime !== 'string' || !authorization.startsWith('AWS4-HMAC-SHA256 ')) return false
  const names = /SignedHeaders=([^,]+)/u.exec(authorization)?.[1]?.split(';') ?? []
  const headers = new Headers()
  for (const name of names)
    if (name !== 'host' && name !== 'x-amz-date') headers.set(name, String(request.headers[name]))
  const signer = new AwsV4Signer({
    method: request.method ?? 'GET',
    url: `${origin}${request.url}`,
    headers,
    body: body.length === 0 ? null : new Uint8Array(body),
    accessKeyId: S3_KEYS.AWS_ACCESS_KEY_ID,
    secretAccessKey: S3_KEYS.AWS_SECRET_ACCESS_KEY,
    service: 's3',
    region: 'sa-east-1',
    datetime,
    allHeaders: true,
  })
  return (await signer.authHeader()) === authorization
}

/** Amazon S3 on the loopback: one bucket, `parley`, in sa-east-1; rejects wrong signatures. */
export const startS3Server = async (): Promise<S3Server> => {
  const objects: S3Server['objects'] = new Map()
  const faults: S3Server['faults'] = []
  let origin = ''
  const list = (url: URL, response: ServerResponse) => {
    const prefix = `/parley/${url.searchParams.get('prefix') ?? ''}`
    const keys = [...objects.keys()].filter(key => key.startsWith(prefix)).toSorted()
    const from = Number(url.searchParams.get('continuation-token') ?? 0)
    const shown = keys.slice(from, from + PAGE).map(key => {
      const modified = objects.get(key)?.modified.toISOString()
      return `<Contents><Key>${key.slice('/parley/'.length)}</Key><LastModified>${modified}</LastModified></Contents>`
    })
    const next = from + PAGE < keys.length ? `<NextContinuationToken>${from + PAGE}</NextContinuationToken>` : ''
    response.writeHead(200).end(`<ListBucketResult>${shown.join('')}${next}</ListBucketResult>`)
  }
  const uploads = new Map<string, Map<number, Buffer>>()
  /** Parts of an object, which is there once they are complete. */
  const servePart = (
    request: IncomingMessage,
    key: string,
    upload: string | undefined,
    body: Buffer,
    response: ServerResponse,
  ) => {
    if (upload === undefined) {
      const id = `upload-${uploads.size + 1}`
      uploads.set(id, new Map())
      return response.writeHead(200).end(`<R><UploadId>${id}</UploadId></R>`)
    }
    const parts = uploads.get(upload)
    if (parts === undefined) return response.writeHead(404).end()
    if (request.method === 'PUT') {
      const number = Number(new URL(request.url ?? '/', origin).searchParams.get('partNumber'))
      parts.set(number, body)
      return response.writeHead(200, { etag: `"${number}"` }).end()
    }
    uploads.delete(upload)
    if (request.method === 'DELETE') return response.writeHead(204).end()
    const content = Buffer.concat([...parts].toSorted(([one], [other]) => one - other).map(([, part]) => part))
    objects.set(key, { content, modified: new Date(), type: '' })
    return response.writeHead(200).end('<R/>')
  }
  const serve = (request: IncomingMessage, body: Buffer, response: ServerResponse, fault?: Fault) => {
    const url = new URL(request.url ?? '/', origin)
    const key = decodeURIComponent(url.pathname)
    if (!key.startsWith('/parley')) return response.writeHead(404).end()
    if (key === '/parley') return list(url, response)
    const found = objects.get(key)
    const upload = url.searchParams.get('uploadId') ?? undefined
    if (upload !== undefined || url.searchParams.has('uploads')) return servePart(request, key, upload, body, response)
    if (request.method === 'PUT') {
      if (found !== undefined && request.headers['if-none-match'] === '*') return response.writeHead(412).end()
      objects.set(key, { content: body, modified: new Date(), type: request.headers['content-type'] ?? '' })
      return response.writeHead(200).end()
    }
    if (request.method === 'DELETE') {
      objects.delete(key)
      return response.writeHead(204).end()
    }
    if (found === undefined) return response.writeHead(404).end()
    const headers = { 'last-modified': found.modified.toUTCString(), 'content-length': found.content.length }
    response.writeHead(200, headers)
    if (request.method === 'HEAD') return response.end()
    if (fault === undefined) return response.end(found.content)
    response.write(found.content.subarray(0, 1))
    return fault === 'cut' ? response.destroy() : response
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const fault = faults.shift()
    if (fault === 'silent') return
    if (typeof fault === 'number') return void response.writeHead(fault).end()
    if (!(await isSigned(request, body, origin))) return void response.writeHead(403).end()
    serve(request, body, response, fault)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    endpoint: origin,
    objects,
    faults,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
