import { chakra, Link, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, useParams } from 'react-router'
import { cloudfile } from '#schemas/entities/cloudfile.ts'
import { http } from '#web/api/http.ts'
import { addressOf } from '#web/entity/address.ts'
import { EntityDetail } from '#web/entity/form/entity-detail.tsx'
import { useEntityTextsReady, useLabel } from '#web/entity/label.ts'

/** Flows whose blocks, and things whose fields, link to the file. */
const LinkedFrom = ({ id }: { readonly id: string }) => {
  const { t } = useTranslation('entity/cloudfile')
  const label = useLabel()
  const { data } = useQuery({
    queryKey: ['cloudfile', 'links', id],
    queryFn: () => http.get('/cloudfile/{id}/links', { params: { id } }),
  })
  if (data === undefined) return null
  return (
    <chakra.section aria-labelledby={`links-${id}`} mb="5" maxW="960px">
      <Text as="h2" id={`links-${id}`} textStyle="card">
        {t('links.title')}
      </Text>
      {data.items.length === 0 ? (
        <Text textStyle="secondary" color="fg.muted">
          {t('links.none')}
        </Text>
      ) : null}
      <chakra.ul ps="0" listStyleType="none">
        {data.items.map(({ entity, id: holder, title, bot, block, field }) => (
          <chakra.li
            key={`${holder} ${field}`}
            py="1"
            fontSize="sm"
            display="flex"
            gap="2"
            flexWrap="wrap"
            alignItems="baseline"
          >
            <Link asChild overflowWrap="anywhere">
              <RouterLink to={addressOf(entity, holder, { block }) ?? ''}>{title}</RouterLink>
            </Link>
            <Text as="span" textStyle="secondary" color="fg.muted">
              {field === undefined ? bot : `${label.name(entity)} · ${label.field(entity, field)}`}
            </Text>
          </chakra.li>
        ))}
      </chakra.ul>
      {data.complete ? null : (
        <Text textStyle="secondary" color="fg.muted">
          {t('links.incomplete')}
        </Text>
      )}
    </chakra.section>
  )
}

/** One file: its address, and what links to it. */
export const CloudFileDetail = () => {
  const { id = '' } = useParams()
  const isReady = useEntityTextsReady(['cloudfile'])
  return (
    <EntityDetail
      key={id}
      entity={cloudfile}
      id={id}
      listAt="/tools/uploadfiletocloud"
      above={() => (isReady ? <LinkedFrom id={id} /> : null)}
    />
  )
}
