import { chakra, HStack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { LayoutTemplate } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { ofAppAddress } from '#domain/breadcrumb.ts'
import type { RowOf } from '#schemas/row.ts'
import { Card } from '#web/components/card.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { listQuery } from '#web/entity/entity-query.ts'
import { useLabel } from '#web/entity/label.ts'
import { TemplateChip } from '#web/features/template/index.ts'
import { phoneOf } from './app-query.ts'

const RouterLink = chakra(Link)
const SHOWN = 6

const TemplateLine = ({ row }: { readonly row: RowOf<'template'> }) => {
  const label = useLabel()
  const words = (['language', 'category'] as const).map(field => label.option('template', field, row[field]))
  return (
    <RouterLink
      to={`/template/${row.id}`}
      display="flex"
      alignItems="center"
      gap="3"
      px="4"
      py="2"
      borderTopWidth="1px"
      _hover={{ bg: 'bg.subtle' }}
      focusVisibleRing="inside"
    >
      <chakra.span flex="1" minW="0">
        <Text textStyle="code" fontWeight="semibold" overflowWrap="anywhere">
          {row.templateName}
        </Text>
        <Text textStyle="secondary" color="fg.muted">
          {words.join(' · ')}
        </Text>
      </chakra.span>
      <TemplateChip row={row} />
    </RouterLink>
  )
}

/** The templates of an account that were changed last. */
export const AppTemplates = ({
  app,
  account,
}: {
  readonly app: RowOf<'metaapp'>
  readonly account: RowOf<'metaaccount'>
}) => {
  const { t } = useTranslation('campaign')
  const { data, error, refetch } = useQuery(
    listQuery('template', { metaaccount: account.id, sort: '-modified_at', page: 1, size: SHOWN }),
  )
  const approved = useQuery(listQuery('template', { metaaccount: account.id, status: 'APPROVED', size: 1 })).data
  return (
    <Card
      title={t('template.plural')}
      beside={
        <HStack gap="3" textStyle="dense" color="fg.muted">
          {approved === undefined ? null : <Text>{t('template.approved', { count: approved.total })}</Text>}
          <RouterLink
            to={ofAppAddress('template', { id: app.id, name: app.name, phone: phoneOf(account) })}
            color="accent.fg"
            fontWeight="semibold"
            borderRadius="xs"
            focusVisibleRing="outside"
          >
            {t('template.all', { count: data?.total ?? 0 })}
          </RouterLink>
        </HStack>
      }
    >
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {data?.items.length === 0 ? (
        <EmptyState small icon={LayoutTemplate} title={t('template.none')} text={t('template.nonetext')} />
      ) : null}
      {data?.items.map(row => (
        <TemplateLine key={row.id} row={row} />
      ))}
    </Card>
  )
}
