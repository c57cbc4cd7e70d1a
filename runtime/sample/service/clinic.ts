import type { Json } from '#schemas/event.ts'
import { type ServiceRoute, said } from './answer.ts'

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

const lastDigit = (text: string): number => Number(/\d(?=\D*$)/u.exec(text)?.[0] ?? 0)

const patientOf = (documento: string): Json => {
  const digit = lastDigit(documento)
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
export const clinicService = (): readonly ServiceRoute[] => [
  { method: 'GET', path: /^\/v\d+\/pacientes\/([^/]+)$/u, answer: (_, [documento = '']) => patientOf(documento) },
  {
    method: 'GET',
    path: /^\/v\d+\/unidades$/u,
    answer: ({ query }) => UNITS[lastDigit(query.get('cep') ?? '') % UNITS.length] ?? null,
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
