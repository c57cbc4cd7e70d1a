import { Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { contactlist } from '#schemas/entities/contactlist.ts'
import type { RowOf } from '#schemas/row.ts'
import { useSession } from '#web/api/session.ts'
import type { Row } from '#web/entity/entity-query.ts'
import { EntityDetail } from '#web/entity/form/entity-detail.tsx'
import { EntityListPage } from '#web/entity/list/entity-list-page.tsx'
import { contactsQuery, listHolder } from '#web/features/contact/index.ts'
import { numberText } from '#web/format/number.ts'
import { agoOf } from '#web/format/time.ts'
import { Redirect } from '#web/page/redirect.tsx'

const LIST = '/contactlist/search'

/** Description of a list, its number of people and its last change. */
const FiguresCell = ({ row }: { readonly row: RowOf<'contactlist'> }) => {
  const { t } = useTranslation('contact')
  const { can } = useSession()
  const { data } = useQuery({ ...contactsQuery(listHolder(row), 1, 1), enabled: can('readcontact') })
  return (
    <Stack gap="0.5">
      {row.purpose ? <Text>{row.purpose}</Text> : null}
      {data === undefined ? null : (
        <Text textStyle="secondary" color="fg.muted" fontVariantNumeric="tabular-nums">
          {t('size', { count: data.total, shown: numberText(data.total) })}
          {data.changed === null ? null : ` · ${t('listchanged', { ago: agoOf(data.changed) })}`}
        </Text>
      )}
    </Stack>
  )
}

const CELLS = { purpose: (row: Row) => <FiguresCell row={row as RowOf<'contactlist'>} /> }

/** All saved lists, each with its size. */
export const ListsPage = () => <EntityListPage cells={CELLS} />

/** /contactlist/settings/{id}: name, history and removal of a list. */
export const ListSettingsPage = () => {
  const { id } = useParams()
  if (id === undefined) return <Redirect to={LIST} />
  return <EntityDetail entity={contactlist} id={id} listAt={LIST} tab="settings" />
}
