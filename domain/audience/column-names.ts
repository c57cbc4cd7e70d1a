import { folded } from '#schemas/fold-text.ts'
import { CONTACT_FIELDS } from './contact-fields.ts'

/** A name as it is compared: without capitals, accents, spaces and marks. */
export const plainName = (name: string): string => folded(name).replace(/[^\p{L}\p{N}]/gu, '')

export const PHONE_NAMES = new Set([
  ...['phone', 'phonenumber', 'telephone', 'mobile', 'mobilephone', 'mobilenumber', 'cell', 'cellphone', 'number'],
  ...['whatsapp', 'whatsappnumber', 'whats', 'zap', 'msisdn', 'numerowhatsapp', 'numerodowhatsapp', 'numerodewhatsapp'],
  ...['telefone', 'celular', 'fone', 'numero', 'tel', 'telefonecelular', 'telcelular', 'numerodetelefone'],
  ...['telefono', 'movil', 'telefonomovil', 'telefonocelular', 'numerodetelefono', 'numerotelefone', 'numerotelefono'],
])

export const NAME_NAMES = new Set([
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
