import { Box, chakra, HStack, Text } from '@chakra-ui/react'
import { BellOff, CheckCheck, Ellipsis, Pencil, UserMinus, UserX } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useSession } from '#web/api/session.ts'
import { ActionMenu, type MenuAction } from '#web/components/action-menu.tsx'
import { Chip } from '#web/components/chip.tsx'
import { IconButton } from '#web/components/hint.tsx'
import { Tick } from '#web/entity/list/unlabelled-checkbox.tsx'
import { type ColumnNames, useContactFieldName } from '#web/form/control/contact-field-name.ts'
import { agoOf, momentOf } from '#web/format/time.ts'
import { PHONE, useMedia } from '#web/shell/use-media.ts'
import { NAME_FIELD } from './contact-fields.ts'
import type { Contact } from './holder.ts'

/** Columns of fields; a contact's own form shows all. */
const MAX_FIELD_COLUMNS = 4

export type ContactAction = 'edit' | 'remove' | 'forget'

/** Contacts that are chosen to be removed; absent for those who may not remove them. */
export interface Selection {
  readonly chosen?: ReadonlySet<string>
  onChoose?(contacts: readonly string[], isChosen: boolean): void
}

interface ListProps extends Selection {
  readonly contacts: readonly Contact[]
  /** Fields that are of use, in order. */
  readonly fields: readonly string[]
  readonly names: ColumnNames
  onAsk(what: ContactAction, contact: Contact): void
}

type RowProps = Pick<ListProps, 'fields' | 'names' | 'onAsk' | 'chosen' | 'onChoose'> & { readonly contact: Contact }

/** Its name, or its number where it has none. */
export const useContactName = () => {
  const { t } = useTranslation('contact')
  return ({ nome, phone }: Contact): string => nome || phone || t('unreadable')
}

const RowMenu = ({ contact, onAsk }: Omit<RowProps, 'fields' | 'names'>) => {
  const { t } = useTranslation('contact')
  const { can } = useSession()
  const label = t('more', { name: useContactName()(contact) })
  const offered: readonly (readonly [ContactAction, string, MenuAction['icon'], boolean])[] = [
    ['edit', 'updatecontact', Pencil, contact.phone !== null],
    ['remove', 'deletecontact', UserMinus, true],
    ['forget', 'forgetcontact', UserX, contact.phone !== null],
  ]
  const actions = offered.flatMap(([what, permission, icon, isApt]): MenuAction[] =>
    isApt && can(permission)
      ? [
          {
            id: what,
            label: t(what === 'remove' && contact.list !== null ? 'menu.removelist' : `menu.${what}`),
            ...(icon === undefined ? {} : { icon }),
            danger: what === 'forget',
            separated: what === 'forget',
            run: () => onAsk(what, contact),
          },
        ]
      : [],
  )
  if (actions.length === 0) return null
  return (
    <ActionMenu label={label} actions={actions}>
      <IconButton icon={Ellipsis} label={label} />
    </ActionMenu>
  )
}

const Signs = ({ contact: { suppressed, consent } }: { readonly contact: Contact }) => {
  const { t } = useTranslation('contact')
  return (
    <>
      {suppressed ? (
        <Chip tone="warning" icon={BellOff}>
          {t('suppressed')}
        </Chip>
      ) : null}
      {consent === null ? null : (
        <Chip tone="positive" title={`${consent.source} · ${momentOf(consent.time)}`} icon={CheckCheck}>
          {t('consent')}
        </Chip>
      )}
    </>
  )
}

const Choose = ({ contact, chosen, onChoose }: Pick<RowProps, 'contact' | 'chosen' | 'onChoose'>) => {
  const { t } = useTranslation('contact')
  const name = useContactName()(contact)
  if (chosen === undefined || onChoose === undefined) return null
  return (
    <Tick
      label={t('bulk.choose', { name })}
      checked={chosen.has(contact.id)}
      onChange={isChosen => onChoose([contact.id], isChosen)}
    />
  )
}

const Card = ({ contact, fields, names, onAsk, ...choosing }: RowProps) => {
  const { t } = useTranslation('contact')
  const fieldName = useContactFieldName()
  const held = fields.filter(name => (contact.fields[name] ?? '') !== '').slice(0, MAX_FIELD_COLUMNS)
  return (
    <Box as="li" borderWidth="1px" borderRadius="lg" bg="bg.surface" ps="4" pe="2" py="2.5">
      <HStack align="start" gap="2">
        <Choose contact={contact} {...choosing} />
        <Box flex="1" minW="0">
          <Text textStyle="card" overflowWrap="anywhere">
            {contact.nome || t('nameless')}
          </Text>
          <Text textStyle="dense" color="fg.muted" fontVariantNumeric="tabular-nums">
            {contact.phone ?? t('unreadable')}
          </Text>
        </Box>
        <RowMenu contact={contact} onAsk={onAsk} />
      </HStack>
      {held.length === 0 ? null : (
        <chakra.dl display="grid" gridTemplateColumns="auto 1fr" gapX="3" textStyle="dense" mt="1.5" pe="2">
          {held.map(name => (
            <Box key={name} display="contents">
              <chakra.dt color="fg.muted" fontSize="xs">
                {fieldName(name, names)}
              </chakra.dt>
              <chakra.dd overflowWrap="anywhere">{contact.fields[name]}</chakra.dd>
            </Box>
          ))}
        </chakra.dl>
      )}
      <HStack gap="2" mt="1.5" flexWrap="wrap" textStyle="secondary" color="fg.muted">
        <Signs contact={contact} />
        {agoOf(contact.added)}
      </HStack>
    </Box>
  )
}

const HEAD = { textStyle: 'secondary', color: 'fg.muted', fontWeight: 'semibold', textAlign: 'start', h: '9' } as const
const CELL = { textStyle: 'dense', px: '3', py: '2', maxW: '220px', overflowWrap: 'anywhere' } as const

const Line = ({ contact, fields, onAsk, ...choosing }: Omit<RowProps, 'names'>) => {
  const { t } = useTranslation('contact')
  const { can } = useSession()
  const mayEdit = can('updatecontact') && contact.phone !== null
  const name = contact.nome || t('nameless')
  return (
    <chakra.tr borderTopWidth="1px" _hover={{ bg: 'bg.subtle' }}>
      {choosing.chosen === undefined ? null : (
        <chakra.td ps="4" w="8">
          <Choose contact={contact} {...choosing} />
        </chakra.td>
      )}
      <chakra.th scope="row" {...CELL} ps="4" textAlign="start" fontWeight="semibold">
        {mayEdit ? (
          <chakra.button
            type="button"
            textAlign="start"
            cursor="pointer"
            focusVisibleRing="outside"
            borderRadius="xs"
            _hover={{ textDecoration: 'underline' }}
            onClick={() => onAsk('edit', contact)}
          >
            {name}
          </chakra.button>
        ) : (
          name
        )}
      </chakra.th>
      <chakra.td {...CELL} whiteSpace="nowrap" fontVariantNumeric="tabular-nums">
        {contact.phone ?? t('unreadable')}
      </chakra.td>
      {fields.map(field => (
        <chakra.td key={field} {...CELL}>
          {contact.fields[field] ?? ''}
        </chakra.td>
      ))}
      <chakra.td {...CELL}>
        <HStack gap="1.5" flexWrap="wrap">
          <Signs contact={contact} />
        </HStack>
      </chakra.td>
      <chakra.td {...CELL} color="fg.muted" whiteSpace="nowrap" title={momentOf(contact.added)}>
        {agoOf(contact.added)}
      </chakra.td>
      <chakra.td px="2" textAlign="end" w="12">
        <RowMenu contact={contact} onAsk={onAsk} />
      </chakra.td>
    </chakra.tr>
  )
}

const ChooseAll = ({ contacts, chosen, onChoose }: Pick<ListProps, 'contacts' | 'chosen' | 'onChoose'>) => {
  const { t } = useTranslation('contact')
  if (chosen === undefined || onChoose === undefined) return null
  const ids = contacts.map(({ id }) => id)
  const count = ids.filter(id => chosen.has(id)).length
  return (
    <chakra.td ps="4" w="8">
      <Tick
        label={t('bulk.choosepage')}
        checked={count > 0 && count === ids.length}
        isPartly={count > 0 && count < ids.length}
        onChange={isChosen => onChoose(ids, isChosen)}
      />
    </chakra.td>
  )
}

/** Contacts as a table, on a phone as cards. */
export const ContactList = ({ contacts, fields, names, onAsk, ...choosing }: ListProps) => {
  const { t } = useTranslation('contact')
  const fieldName = useContactFieldName()
  const isPhone = useMedia(PHONE)
  if (isPhone)
    return (
      <Box as="ul" listStyleType="none" display="grid" gap="2.5" aria-label={t('title')}>
        {contacts.map(contact => (
          <Card key={contact.id} contact={contact} fields={fields} names={names} onAsk={onAsk} {...choosing} />
        ))}
      </Box>
    )
  const columns = fields.slice(0, MAX_FIELD_COLUMNS)
  return (
    <Box borderWidth="1px" borderRadius="lg" bg="bg.surface" overflowX="auto" tabIndex={0} aria-label={t('title')}>
      <chakra.table w="100%" borderCollapse="collapse">
        <thead>
          <tr>
            <ChooseAll contacts={contacts} {...choosing} />
            <chakra.th scope="col" {...HEAD} ps="4">
              {fieldName(NAME_FIELD)}
            </chakra.th>
            <chakra.th scope="col" {...HEAD} px="3">
              {t('field.phone')}
            </chakra.th>
            {columns.map(name => (
              <chakra.th key={name} scope="col" {...HEAD} px="3">
                {fieldName(name, names)}
              </chakra.th>
            ))}
            <chakra.th scope="col" {...HEAD} px="3">
              {t('field.standing')}
            </chakra.th>
            <chakra.th scope="col" {...HEAD} px="3">
              {t('field.added')}
            </chakra.th>
            <chakra.td />
          </tr>
        </thead>
        <tbody>
          {contacts.map(contact => (
            <Line key={contact.id} contact={contact} fields={columns} onAsk={onAsk} {...choosing} />
          ))}
        </tbody>
      </chakra.table>
    </Box>
  )
}
