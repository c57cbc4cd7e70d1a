import type { Json } from '#schemas/event.ts'
import { isObject, own, parseJson } from '#schemas/json.ts'
import type { OutboundAnswer, OutboundRequest } from '../../outbound/call.ts'

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
interface ServiceRoute {
  readonly method: string
  readonly path: RegExp
  readonly answer: (request: ServiceRequest, at: readonly string[]) => Json
}

const answerOf = (routes: readonly ServiceRoute[], request: ServiceRequest): ServiceAnswer => {
  for (const { method, path, answer } of routes) {
    const match = method === request.method ? path.exec(request.path) : null
    if (match === null) continue
    return { status: method === 'POST' ? 201 : 200, body: answer(request, match.slice(1)) }
  }
  return { status: 404, body: { message: 'Not found' } }
}

/** The member of a body with this name as text, '' for none. */
const said = (body: Json, name: string): string => {
  const value = isObject(body) ? own(body, name) : undefined
  return typeof value === 'string' ? value : ''
}

interface Appointment {
  readonly codigo: string
  readonly especialidade: string
  readonly horario: string
}

const UNITS = ['UBS Centro', 'UBS Jardim das Flores', 'UBS Vila Nova', 'UBS Boa Vista']
const NAMES = ['Ana', 'Bruno', 'Carla', 'Davi', 'Elisa', 'Fábio', 'Helena', 'João']
/** Appointments that are remembered; the oldest go first. */
const MAX_APPOINTMENTS = 1000
const FIRST_CODE = 4101

const lastDigitOf = (text: string): number => Number(/\d(?=\D*$)/u.exec(text)?.[0] ?? 0)

const patientOf = (documento: string): Json => {
  const digit = lastDigitOf(documento)
  if (digit === 0) return null
  const nome = NAMES[digit % NAMES.length] ?? ''
  return { nome, nascimento: `19${70 + digit}-0${digit}-15`, unidade: UNITS[digit % UNITS.length] ?? '' }
}

/** Appointments while the gateway runs. */
class Appointments {
  readonly #booked = new Map<string, Appointment>()
  #written = 0

  book(especialidade: string, horario: string): Appointment {
    const codigo = `VC${FIRST_CODE + this.#written}`
    this.#written += 1
    const appointment = { codigo, especialidade, horario }
    this.#booked.set(codigo, appointment)
    const [oldest] = this.#booked.keys()
    if (this.#booked.size > MAX_APPOINTMENTS && oldest !== undefined) this.#booked.delete(oldest)
    return appointment
  }

  /** Any code is an appointment, so that changing one can be tried at once. */
  get(codigo: string): Appointment {
    return this.#booked.get(codigo.toUpperCase()) ?? { codigo, especialidade: 'Clínica geral', horario: 'Amanhã, 8h20' }
  }

  move(codigo: string, horario: string): Appointment {
    const moved = { ...this.get(codigo), horario }
    if (this.#booked.has(moved.codigo)) this.#booked.set(moved.codigo, moved)
    return moved
  }

  cancel(codigo: string): void {
    this.#booked.delete(codigo.toUpperCase())
  }
}

const appointments = (): readonly ServiceRoute[] => {
  const held = new Appointments()
  const path = /^\/v\d+\/consultas\/([^/]+)$/u
  return [
    {
      method: 'POST',
      path: /^\/v\d+\/consultas$/u,
      answer: ({ body }) => ({ ...held.book(said(body, 'especialidade'), said(body, 'horario')) }),
    },
    { method: 'GET', path, answer: (_, [codigo = '']) => ({ ...held.get(codigo) }) },
    { method: 'PUT', path, answer: ({ body }, [codigo = '']) => ({ ...held.move(codigo, said(body, 'horario')) }) },
    {
      method: 'DELETE',
      path,
      answer: (_, [codigo = '']) => {
        held.cancel(codigo)
        return { cancelada: true }
      },
    },
  ]
}

const waitingList = (): readonly ServiceRoute[] => {
  let waiting = 0
  return [
    {
      method: 'POST',
      path: /^\/v\d+\/espera$/u,
      answer: () => {
        waiting += 1
        return { posicao: waiting }
      },
    },
  ]
}

/** The records of the sample's health department. A document that ends in 0 is not registered. */
const clinicService = (): readonly ServiceRoute[] => [
  { method: 'GET', path: /^\/v\d+\/pacientes\/([^/]+)$/u, answer: (_, [documento = '']) => patientOf(documento) },
  {
    method: 'GET',
    path: /^\/v\d+\/unidades$/u,
    answer: ({ query }) => UNITS[lastDigitOf(query.get('cep') ?? '') % UNITS.length] ?? null,
  },
  {
    method: 'GET',
    path: /^\/v\d+\/agenda$/u,
    // Dentists have no time left, so that the waiting list can be tried.
    answer: ({ query }) =>
      query.get('especialidade') === 'Odontologia' ? null : ['Amanhã, 8h20', 'Amanhã, 14h40', 'Quinta, 9h00'],
  },
  ...appointments(),
  ...waitingList(),
]

const DAY_MS = 86_400_000
const FIRST_CASE = 30_001
const SITUATIONS = ['a caminho', 'atrasado', 'entregue']

/** São Paulo is three hours behind UTC all year. */
const ZONE_MS = -3 * 3_600_000

/** So many days after the present day of São Paulo. */
const dayFrom = (days: number): string => new Date(Date.now() + ZONE_MS + days * DAY_MS).toISOString().slice(0, 10)

/** 2026-11-23 → 23/11/2026 */
const spoken = (day: string): string => day.split('-').reverse().join('/')

/** Orders that begin with CL are there; the last digit says how they stand. */
const orderOf = (number: string): Json => {
  if (!/^cl\d+$/iu.test(number)) return null
  const digit = Number(number.at(-1))
  return {
    numero: number.toUpperCase(),
    situacao: SITUATIONS[digit % SITUATIONS.length] ?? 'a caminho',
    previsao: dayFrom(2),
    transportadora: 'Rota Certa',
    entregue_em: spoken(dayFrom(-3)),
    recebedor: 'Portaria',
    itens: [{ nome: 'Luminária Aurora', quantidade: 1 }],
  }
}

const orders = (): readonly ServiceRoute[] => [
  {
    method: 'GET',
    path: /^\/clientes$/u,
    answer: () => ({ nome: 'Marina', email: 'marina@casalume.example' }),
  },
  {
    method: 'GET',
    path: /^\/pedidos$/u,
    answer: () => orderOf('CL204518'),
  },
  {
    method: 'GET',
    path: /^\/pedidos\/([^/]+)$/u,
    answer: (_, [number = '']) => orderOf(number),
  },
  {
    method: 'GET',
    path: /^\/pedidos\/([^/]+)\/troca$/u,
    answer: (_, [number = '']) => ({ no_prazo: !number.endsWith('9'), valor: '349,90' }),
  },
  {
    method: 'GET',
    path: /^\/estoque$/u,
    answer: ({ query }) => ({
      quantidade: query.get('produto') === 'Tapete Maré' ? 0 : 12,
      preco: '349,90',
      link: 'https://casalume.example/novidades',
    }),
  },
  {
    method: 'GET',
    path: /^\/lojas$/u,
    answer: ({ query }) =>
      query.get('cep')?.startsWith('0') === true
        ? [{ id: 'paulista', nome: 'Casa Lume Paulista', endereco: 'Avenida Paulista, 900' }]
        : null,
  },
]

const cases = (): readonly ServiceRoute[] => {
  let written = 0
  const next = (): number => {
    written += 1
    return FIRST_CASE + written
  }
  return [
    { method: 'POST', path: /^\/ocorrencias$/u, answer: () => ({ protocolo: `OC${next()}` }) },
    { method: 'POST', path: /^\/etiquetas$/u, answer: () => ({ codigo: `BR${next()}LUME` }) },
    { method: 'POST', path: /^\/(?:recados|interesses|avaliacoes)$/u, answer: () => ({ numero: next() }) },
    { method: 'POST', path: /^\/reembolsos$/u, answer: () => ({ valor: '349,90', prazo: '7 dias' }) },
  ]
}

const payments = (): readonly ServiceRoute[] => [
  {
    method: 'POST',
    path: /^\/pix$/u,
    answer: () => ({ codigo: '00020126330014br.gov.bcb.pix0111casalume5204000053039865406349.90' }),
  },
  {
    method: 'GET',
    path: /^\/pix\/chaves\/([^/]+)$/u,
    answer: (_, [key = '']) => key.replaceAll(/\D/gu, ''),
  },
  {
    method: 'GET',
    path: /^\/boletos\/([^/]*)$/u,
    answer: () => ({
      vencido: false,
      vencimento: spoken(dayFrom(5)),
      linha_digitavel: '34191.79001 01043.510047 91020.150008 5 91230000034990',
    }),
  },
]

/** The orders, cases and payments of the sample's furniture shop. */
const retailService = (): readonly ServiceRoute[] => [...orders(), ...cases(), ...payments()]

const lastDigit = (text: string): number => Number(text.at(-1) ?? 0)
const FIRST_CALL = 900_101

/** The bills and outages of the sample's power company: the last digit sets the number of open bills. */
const energyService = (): readonly ServiceRoute[] => {
  let calls = 0
  return [
    {
      method: 'GET',
      path: /^\/instalacoes\/(\d+)\/contas$/u,
      answer: (_, [instalacao = '']) => ({ total: lastDigit(instalacao) % 3 }),
    },
    {
      method: 'POST',
      path: /^\/instalacoes\/(\d+)\/segunda-via$/u,
      answer: (_, [instalacao = '']) => ({
        numero: `${instalacao}-11`,
        mes: 'novembro',
        valor: 187.4,
        vencimento: '2026-12-10',
        total: '187,40',
        vence: '10/12/2026',
        codigo: '83670000001874001380012345678901234567890123',
        pix: '00020126360014br.gov.bcb.pix0114ventania5204000053039865406187.40',
        pdf: `https://midia.ventania.example/contas/${instalacao}-11.pdf`,
      }),
    },
    {
      method: 'GET',
      path: /^\/rede\/(\d+)$/u,
      answer: (_, [instalacao = '']) => (lastDigit(instalacao) % 2 === 0 ? null : { previsao: '18h30' }),
    },
    {
      method: 'POST',
      path: /^\/chamados$/u,
      answer: () => {
        calls += 1
        return { protocolo: `${FIRST_CALL + calls}` }
      },
    },
  ]
}

const bodyOf = (text: string | undefined): Json => parseJson(text ?? '') ?? null

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
