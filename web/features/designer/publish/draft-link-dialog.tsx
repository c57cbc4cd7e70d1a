import { Button, chakra, HStack, Stack, Text } from '@chakra-ui/react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Copy, ExternalLink, Link2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { CodeLine } from '#web/components/code-line.tsx'
import { Modal } from '#web/components/modal.tsx'
import { Segments } from '#web/components/segments.tsx'
import { readRow } from '#web/entity/entity-query.ts'
import { momentOf } from '#web/format/time.ts'
import { useCopy } from '#web/notice/use-copy.ts'
import { useDesigner } from '../session/designer.ts'
import { useNames } from '../session/flow-names.ts'

const DAYS = ['1', '7', '30'] as const
type Days = (typeof DAYS)[number]
const DAY_MS = 86_400_000

/** The link of the open dialog's draft, and the calls that begin and end it. */
const useDraftLink = () => {
  const { address } = useDesigner()
  const client = useQueryClient()
  const { id } = address
  const queryKey = ['dialog', id, 'draftlink']
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => http.get('/dialog/{id}/draftlink', { params: { id }, signal }),
  })
  const change = useMutation({
    mutationFn: async (until: string | null) => {
      const { revision } = await readRow('dialog', id)
      await http.patch('/{entity}/{id}', {
        params: { entity: 'dialog', id },
        body: { sharedraftuntil: until },
        revision,
      })
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['dialog', id] }),
  })
  return { link: data, change }
}

/** The address of a link that works, to copy, to open and to end. */
const Working = ({ address, until }: { readonly address: string; readonly until: string }) => {
  const { t } = useTranslation('designer')
  const copy = useCopy()
  const [isCopied, setCopied] = useState(false)
  return (
    <Stack gap="2" mt="3">
      <CodeLine aria-label={t('draftlink.address')}>{address}</CodeLine>
      <HStack gap="2" flexWrap="wrap">
        <Text flex="1" textStyle="secondary" color="fg.muted">
          {t('draftlink.until', { time: momentOf(until) })}
        </Text>
        <Button asChild size="sm" variant="outline">
          <a href={address} target="_blank" rel="noreferrer">
            <ExternalLink size={15} aria-hidden />
            {t('draftlink.open')}
          </a>
        </Button>
        <Button size="sm" variant="solid" data-autofocus="" onClick={() => void copy(address).then(setCopied)}>
          <Copy size={15} aria-hidden />
          {t(isCopied ? 'draftlink.copied' : 'draftlink.copy')}
        </Button>
      </HStack>
    </Stack>
  )
}

/** A link with which people without an account try the draft, until it ends. */
export const DraftLinkDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const { t } = useTranslation(['designer', 'shell'])
  const { flow } = useNames()
  const { link, change } = useDraftLink()
  const [days, setDays] = useState<Days>('7')
  const { address = null, until = null } = link ?? {}
  const isShared = address !== null && until !== null
  return (
    <Modal
      width={560}
      icon={<Link2 size={18} aria-hidden />}
      title={t('draftlink.title', { name: flow?.name ?? '' })}
      onClose={onClose}
      footer={
        <>
          {isShared ? (
            <Button
              variant="outline"
              colorPalette="danger"
              loading={change.isPending}
              onClick={() => change.mutate(null)}
            >
              {t('draftlink.end')}
            </Button>
          ) : null}
          <Button variant="ghost" onClick={onClose}>
            {t('shell:close')}
          </Button>
          {isShared ? null : (
            <Button
              variant="solid"
              loading={change.isPending}
              disabled={link === undefined}
              onClick={() => change.mutate(new Date(Date.now() + Number(days) * DAY_MS - 1000).toISOString())}
            >
              {t('draftlink.make')}
            </Button>
          )}
        </>
      }
    >
      <Text color="fg.muted">{t('draftlink.text')}</Text>
      {isShared ? (
        <Working address={address} until={until} />
      ) : (
        <HStack mt="3" gap="3">
          <Text textStyle="dense">{t('draftlink.for')}</Text>
          <Segments<Days>
            label={t('draftlink.for')}
            value={days}
            options={DAYS.map(value => ({ value, label: t('draftlink.days', { count: Number(value) }) }))}
            onChange={setDays}
          />
        </HStack>
      )}
      {change.isError ? (
        <chakra.p role="alert" mt="3" textStyle="secondary" color="danger.fg">
          {failureOf(change.error, t('draftlink.failed'))}
        </chakra.p>
      ) : null}
    </Modal>
  )
}
