import { folded } from '#schemas/fold-text.ts'

/** field01 … field16 (D-9.24). */
export const CONTACT_FIELDS: readonly string[] = Array.from(
  { length: 16 },
  (_, at) => `field${String(at + 1).padStart(2, '0')}`,
)

/** Everything that a contact has beside its number. */
export const CONTACT_NAMES: readonly string[] = ['nome', ...CONTACT_FIELDS]

/** UTF-16 units of a name or field. */
export const MAX_CONTACT_TEXT = 1024

/** Control characters but line ends and tabs, and what turns the direction of a text around. */
const CONTROL = /(?![\n\t])[\p{Cc}\u{202a}-\u{202e}\u{2066}-\u{2069}\u{2028}\u{2029}]/u

type TextFault = 'control' | 'toolong'

/** A text of a contact as it is kept: trimmed, composed (NFC), lines ended by a line feed alone. */
export const contactText = (given: string): { readonly text: string; readonly fault?: TextFault } => {
  const text = given.replaceAll('\r\n', '\n').normalize('NFC').trim()
  if (CONTROL.test(text) || !text.isWellFormed()) return { text, fault: 'control' }
  return text.length > MAX_CONTACT_TEXT ? { text, fault: 'toolong' } : { text }
}

/** A name as it is compared: without capitals, accents, spaces and marks. */
export const plainName = (name: string): string => folded(name).replace(/[^\p{L}\p{N}]/gu, '')

export const PHONE_NAMES = new Set([
  ...['phone', 'phonenumber', 'telephone', 'mobile', 'mobilephone', 'mobilenumber', 'cell', 'cellphone', 'number'],
  ...['whatsapp', 'whatsappnumber', 'whats', 'zap', 'msisdn', 'numerowhatsapp', 'numerodowhatsapp', 'numerodewhatsapp'],
  ...['telefone', 'celular', 'fone', 'numero', 'tel', 'telefonecelular', 'telcelular', 'numerodetelefone'],
  ...['telefono', 'movil', 'telefonomovil', 'telefonocelular', 'numerodetelefono', 'numerotelefone', 'numerotelefono'],
])

const NAME_NAMES = new Set([
  ...['nome', 'nomecompleto', 'primeironome', 'nomecliente', 'nomedocliente', 'nomedocontato', 'cliente', 'contato'],
  ...['name', 'fullname', 'firstname', 'customer', 'customername', 'contactname', 'client', 'patient', 'student'],
  ...['nombre', 'nombrecompleto', 'primernombre', 'nombrecliente', 'nombredelcliente', 'paciente', 'aluno', 'alumno'],
])

/** Names of columns and variables that mean the same. Documents are left out: a file may hold more than a campaign needs. */
const ALIKE: readonly (readonly string[])[] = [
  ['email', 'mail', 'correio', 'correo', 'emailaddress', 'correoelectronico', 'enderecodeemail'],
  ['sobrenome', 'lastname', 'surname', 'familyname', 'apellido', 'apellidos', 'ultimonome'],
  ['cidade', 'city', 'ciudad', 'municipio', 'town'],
  ['estado', 'uf', 'state', 'provincia', 'province', 'departamento'],
  ['pais', 'country'],
  ['bairro', 'district', 'neighborhood', 'barrio'],
  ['empresa', 'company', 'companhia', 'compania', 'organizacao', 'organization', 'organizacion'],
  ['pedido', 'order', 'ordernumber', 'numerodopedido', 'numerodepedido', 'orden'],
  ['produto', 'product', 'producto', 'item'],
  ['valor', 'value', 'amount', 'monto', 'importe', 'total', 'preco', 'price', 'precio'],
  ['vencimento', 'duedate', 'datadevencimento', 'vencimiento', 'fechadevencimiento'],
  ['data', 'date', 'fecha', 'dia', 'day'],
  ['hora', 'time', 'horario', 'hour'],
  ['cupom', 'coupon', 'cupon', 'codigo', 'code', 'voucher'],
  ['link', 'url', 'site', 'website', 'enlace'],
  ['loja', 'store', 'tienda', 'unidade', 'unidad', 'branch', 'filial'],
  ['plano', 'plan'],
  ['idioma', 'language', 'lingua'],
]

const GROUP = new Map(ALIKE.flatMap((names, group) => names.map(name => [name, group] as const)))

/** Whether two names of columns or variables mean the same. */
export const isSameName = (one: string, other: string): boolean => {
  const [a, b] = [plainName(one), plainName(other)]
  if (a === '' || b === '') return false
  if (a === b || (NAME_NAMES.has(a) && NAME_NAMES.has(b))) return true
  const group = GROUP.get(a)
  return group !== undefined && group === GROUP.get(b)
}

/** Fields for columns that have none: `known` are the columns with a target, `used` the variables by the field that fills them. */
export const proposedFields = (
  names: readonly string[],
  known: Readonly<Record<string, number>>,
  used: ReadonlyMap<string, readonly string[]>,
): Readonly<Record<string, number>> => {
  const columns: Record<string, number> = { ...known }
  const open = () => {
    const taken = new Set(Object.values(columns))
    return names.flatMap((name, place) => (name === '' || taken.has(place) ? [] : [{ name, place }]))
  }
  const take = (field: string | undefined, place: number) => {
    if (field !== undefined) columns[field] = place
  }
  for (const { name, place } of open())
    take(
      CONTACT_FIELDS.find(
        field => columns[field] === undefined && used.get(field)?.some(variable => isSameName(variable, name)),
      ),
      place,
    )
  const isUnknown = (field: string) => columns[field] === undefined
  for (const { name, place } of open())
    if (GROUP.has(plainName(name)))
      take(
        CONTACT_FIELDS.find(field => isUnknown(field) && !used.has(field)),
        place,
      )
  // The remaining columns fill the remaining template variables, in their order.
  const needed = CONTACT_FIELDS.filter(field => isUnknown(field) && used.has(field))
  for (const [at, { place }] of open().entries()) take(needed[at], place)
  return columns
}

/** Column of each part of a contact, from 0. */
export interface ContactMapping {
  readonly columns: Readonly<Record<string, number | undefined>>
  /** False: the first line is a contact already. */
  readonly header: boolean
  /** ISO 3166; of numbers without a country code. */
  readonly country: string
  /** Names that the columns have in the file, by target. */
  readonly names?: Readonly<Record<string, string | undefined>> | undefined
}

/** Columns by the part of a contact that they fill, without those in which files differ. */
export const agreedColumns = (files: readonly Readonly<Record<string, number>>[]): Readonly<Record<string, number>> => {
  const columns: Record<string, number> = Object.assign({}, ...files)
  const isAgreed = ([target, place]: readonly [string, number]) =>
    files.every(file => file[target] === undefined || file[target] === place)
  return Object.fromEntries(Object.entries(columns).filter(isAgreed))
}

/** Letters of a column in a spreadsheet; `place` from 0: A … Z, AA … */
export const columnLetters = (place: number): string =>
  (place < 26 ? '' : columnLetters(Math.floor(place / 26) - 1)) + String.fromCodePoint(65 + (place % 26))

/** Target of a column by its name; '' if unknown. */
const targetOf = (name: string): string => {
  const word = plainName(name)
  if (PHONE_NAMES.has(word)) return 'phone'
  if (NAME_NAMES.has(word)) return 'nome'
  const [, digits] = /^(?:field|campo)0?(\d{1,2})$/.exec(word) ?? []
  const field = digits === undefined ? '' : `field${digits.padStart(2, '0')}`
  return CONTACT_FIELDS.includes(field) ? field : ''
}

/** A column that is named like a field beyond the sixteenth. */
export const isUnknownField = (name: string): boolean => /^field\d{1,4}$/.test(plainName(name)) && targetOf(name) === ''

/** The first column of each target. */
export const suggestedColumns = (names: readonly string[]): Readonly<Record<string, number>> => {
  const columns: Record<string, number> = {}
  for (const [place, name] of names.entries()) {
    const target = targetOf(name)
    if (target !== '' && columns[target] === undefined) columns[target] = place
  }
  return columns
}

/** Whether a first line names columns rather than being a contact: nothing in it is a number. */
export const looksLikeHeader = (cells: readonly string[]): boolean =>
  cells.some(cell => targetOf(cell) !== '') || !cells.some(cell => /^[\s+\d().-]{8,}$/.test(cell))

/** The parts of a contact that a line holds. */
export const mappedRecord = (cells: readonly string[], { columns }: ContactMapping): Record<string, string> =>
  Object.fromEntries(
    ['phone', ...CONTACT_NAMES].flatMap(target => {
      const place = columns[target]
      return place === undefined ? [] : [[target, cells[place] ?? '']]
    }),
  )

/** The parts of a contact in what a rule gave: by their names, or by names that mean the same. */
export const namedRecord = (record: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const named: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(record)) {
    const target = targetOf(name)
    if (target !== '' && named[target] === undefined) named[target] = value
  }
  return named
}
