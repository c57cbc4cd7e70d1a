import { Box, Button, chakra, Field, HStack, Input, SimpleGrid, Skeleton, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Check, Download, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { version } from '#schemas/entities/version.ts'
import { urlOf } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { Chip } from '#web/components/chip.tsx'
import { isConfirmed } from '#web/components/confirm-dialog.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import type { Row } from '#web/entity/entity-query.ts'
import { momentOf } from '#web/format/time.ts'
import { countOf, type FlowPreview, previewQuery } from './version-query.ts'

const LOOKS = {
  added: { sign: '+', tone: 'positive', palette: 'diff.added' },
  changed: { sign: '△', tone: 'warning', palette: 'diff.changed' },
  removed: { sign: '−', tone: 'danger', palette: 'diff.removed' },
  same: { sign: '=', tone: 'neutral', palette: 'diff.changed' },
} as const
const PARTS = ['added', 'changed', 'removed'] as const

const Count = ({ part, count }: { part: (typeof PARTS)[number] | 'settings'; count: number }) => {
  const { t } = useTranslation('shell')
  const look = LOOKS[part === 'settings' ? 'changed' : part]
  return (
    <Box bg="bg.surface" borderWidth="1px" borderRadius="lg" px="4" py="3">
      <Text
        fontSize="2xl"
        lineHeight="30px"
        fontWeight="semibold"
        color={count === 0 ? 'fg.subtle' : `${look.palette}.fg`}
      >
        {look.sign} {count}
      </Text>
      <Text textStyle="secondary" color="fg.muted">
        {t(`version.count.${part}`, { count })}
      </Text>
    </Box>
  )
}

const FlowLine = ({ flow, most }: { flow: FlowPreview; most: number }) => {
  const { t } = useTranslation('shell')
  const look = LOOKS[flow.state] ?? LOOKS.same
  return (
    <chakra.tr css={{ '&:not(:last-child) > td': { borderBottomWidth: '1px' } }}>
      <chakra.td px="4" h="40px" fontSize="sm" fontWeight="semibold">
        {flow.name}
      </chakra.td>
      <chakra.td px="3">
        <Chip tone={look.tone}>
          {look.sign} {t(`version.state.${flow.state}`)}
        </Chip>
      </chakra.td>
      <chakra.td px="3" fontSize="sm" whiteSpace="nowrap">
        <HStack gap="2.5" fontWeight="semibold">
          {PARTS.map(part =>
            countOf(flow, part) > 0 ? (
              <Text as="span" key={part} color={`${LOOKS[part].palette}.fg`}>
                {LOOKS[part].sign}
                {countOf(flow, part)}
              </Text>
            ) : null,
          )}
        </HStack>
      </chakra.td>
      <chakra.td px="3" w="30%">
        <HStack gap="1px" h="8px" borderRadius="2px" overflow="hidden" aria-hidden="true">
          {PARTS.map(part => (
            <Box
              key={part}
              h="100%"
              bg={`${LOOKS[part].palette}.solid`}
              {...(part === 'changed'
                ? {
                    backgroundImage:
                      'repeating-linear-gradient(135deg, {colors.diff.changed.solid} 0 4px, {colors.diff.changed.emphasized} 4px 8px)',
                  }
                : {})}
              style={{ width: `${(countOf(flow, part) / most) * 100}%` }}
            />
          ))}
        </HStack>
      </chakra.td>
    </chakra.tr>
  )
}

const Apply = ({ row, bot, ready }: { row: Row; bot: string; ready: boolean }) => {
  const { t } = useTranslation('shell')
  const command = useEntityCommand(version)
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const word = t('confirm.word')
  const confirmed = ready && isConfirmed(typed, word)
  const apply = async () => {
    if (!confirmed || busy) return
    setBusy(true)
    await command.act(row, 'apply', { confirm: 'CONFIRM' })
    setBusy(false)
    setTyped('')
  }
  return (
    <Box as="section" aria-label={t('version.apply')} bg="bg.surface" borderWidth="1px" borderRadius="lg">
      <Box p="4">
        <HStack gap="2.5" mb="2">
          <TriangleAlert size={18} aria-hidden="true" />
          <Text as="h3" textStyle="card">
            {t('version.replaces', { name: bot })}
          </Text>
        </HStack>
        <Text textStyle="dense" color="fg.muted" mb="3">
          {t('version.replacestext')}
        </Text>
        <form
          onSubmit={event => {
            event.preventDefault()
            void apply()
          }}
        >
          <HStack align="flex-end" gap="3" flexWrap="wrap">
            <Field.Root flex="1" minW="180px" maxW="280px">
              <Field.Label>{t('confirm.type', { word })}</Field.Label>
              <Input
                fontFamily="mono"
                autoComplete="off"
                spellCheck={false}
                value={typed}
                onChange={event => setTyped(event.target.value)}
              />
            </Field.Root>
            <Button type="submit" variant="solid" colorPalette="danger" disabled={!confirmed} loading={busy}>
              {t('version.apply')}
            </Button>
          </HStack>
        </form>
      </Box>
      <Box p="4" borderTopWidth="1px">
        <Text textStyle="label" color="fg.muted" mb="2">
          {t('version.stays')}
        </Text>
        {['conversations', 'offline', 'state'].map(key => (
          <HStack key={key} gap="2.5" textStyle="dense" color="fg.muted" py="0.5">
            <Check size={15} aria-hidden="true" />
            {t(`version.stay.${key}`)}
          </HStack>
        ))}
      </Box>
    </Box>
  )
}

/** If this version were applied: what would come, change and go, and the way to do it. */
export const VersionPreviewPane = ({ row, bot }: { readonly row: Row; readonly bot: string }) => {
  const { t } = useTranslation('shell')
  const { can } = useSession()
  const query = useQuery(previewQuery(row.id))
  const flows = [...(query.data?.dialogs ?? []), ...(query.data?.handlers ?? [])]
  const most = Math.max(1, ...flows.map(flow => PARTS.reduce((sum, part) => sum + countOf(flow, part), 0)))
  const name = String(row.name)
  return (
    <Box p={{ base: '3', md: '6' }} minW="0">
      <HStack mb="4" gap="3" flexWrap="wrap">
        <Box flex="1" minW="200px">
          <Text as="h2" textStyle="page">
            {t('version.if', { name })}
          </Text>
          <Text textStyle="dense" color="fg.muted">
            {typeof row.description === 'string' && row.description !== ''
              ? row.description
              : t('version.compared', { time: momentOf(row.created_at) })}
          </Text>
        </Box>
        <Button asChild>
          <a href={urlOf(`/version/${row.id}/download`)} download>
            <Download size={15} aria-hidden="true" />
            {t('version.download')}
          </a>
        </Button>
      </HStack>
      {query.error ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <>
          <SimpleGrid columns={{ base: 2, lg: 4 }} gap="3" mb="4">
            {PARTS.map(part => (
              <Count key={part} part={part} count={flows.filter(flow => flow.state === part).length} />
            ))}
            <Count part="settings" count={query.data?.settings.length ?? 0} />
          </SimpleGrid>
          {query.data === undefined ? (
            <Skeleton h="180px" borderRadius="lg" mb="4" />
          ) : (
            <Box bg="bg.surface" borderWidth="1px" borderRadius="lg" overflowX="auto" mb="4">
              <chakra.table w="100%" borderCollapse="separate" borderSpacing="0">
                <chakra.thead bg="bg">
                  <tr>
                    {['flow', 'happens', 'blocks', 'size'].map(key => (
                      <chakra.th
                        key={key}
                        scope="col"
                        h="34px"
                        px={key === 'flow' ? '4' : '3'}
                        textAlign="start"
                        textStyle="label"
                        color="fg.muted"
                        borderBottomWidth="1px"
                      >
                        {t(`version.column.${key}`)}
                      </chakra.th>
                    ))}
                  </tr>
                </chakra.thead>
                <tbody>
                  {flows.map(flow => (
                    <FlowLine key={flow.id} flow={flow} most={most} />
                  ))}
                  {flows.length === 0 ? (
                    <tr>
                      <chakra.td colSpan={4} px="4" h="44px" fontSize="sm" color="fg.muted">
                        {t('version.nodifference')}
                      </chakra.td>
                    </tr>
                  ) : null}
                </tbody>
              </chakra.table>
            </Box>
          )}
        </>
      )}
      {can('applyversion') ? <Apply key={row.id} row={row} bot={bot} ready={query.data !== undefined} /> : null}
    </Box>
  )
}
