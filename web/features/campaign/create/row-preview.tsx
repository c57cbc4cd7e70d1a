import { Box, HStack, Text } from '@chakra-ui/react'
import { skipToken, useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type MappedVariable, mappedValues } from '#domain/campaign/message-body.ts'
import { type Template, type TemplateText, templateOf } from '#domain/template/template.ts'
import type { RowOf } from '#schemas/row.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { IconButton } from '#web/components/hint.tsx'
import { Bubble, Cards, CHAT_COLORS } from '#web/entity/form/template/bubble.tsx'
import { useColorMode } from '#web/theme/color-mode.ts'
import { countText } from '../report/delivery.ts'
import { VariantChoice } from './test-card.tsx'

type Values = ReadonlyMap<string, string>

/** Replaces a text's examples with a contact's values; missing ones stay as variables. */
const withValues = (text: TemplateText, values: Values, prefix: string): TemplateText => ({
  ...text,
  examples: [...values].flatMap(([name, value]) =>
    name.startsWith(prefix) ? [{ name: name.slice(prefix.length), value }] : [],
  ),
})

/** A template as one contact gets it. */
const filled = (template: Template, values: Values): Template => {
  const { header, body, cards } = template
  return {
    ...template,
    header:
      header?.format === 'TEXT'
        ? { ...header, examples: header.examples.map(({ name }) => ({ name, value: values.get('header') ?? '' })) }
        : header,
    body: body === null ? null : withValues(body, values, ''),
    cards: cards.map((card, at) => ({
      ...card,
      body: card.body === null ? null : withValues(card.body, values, `card.${at + 1}.body.`),
    })),
  }
}

/** Contacts of a campaign or a list, one per page; nothing without an id. */
const useContactOf = (of: 'campaign' | 'list', id: string | undefined, place: number) => {
  const { can } = useSession()
  return useQuery({
    queryKey: ['contact', 'at', of, id, place],
    queryFn: id === undefined ? skipToken : () => http.get('/contact', { query: { [of]: id, page: place, size: 1 } }),
    enabled: can('readcontact'),
    placeholderData: before => before,
  }).data
}

/** The contact at a place of a campaign's contacts, or of its first list while it has none. */
const useContact = (campaign: string | undefined, list: string | undefined, place: number) => {
  const own = useContactOf('campaign', campaign, place)
  const listed = useContactOf('list', own?.total === 0 ? list : undefined, place)
  return own?.total === 0 && list !== undefined ? listed : own
}

interface Props {
  readonly row: RowOf<'template'> | undefined
  /** The template that it is compared with. */
  readonly other: RowOf<'template'> | undefined
  /** Lists that the campaign is sent to. */
  readonly lists: readonly string[]
  readonly campaign: string | undefined
  readonly variables: readonly string[]
  readonly mapping: readonly MappedVariable[]
}

/** The message as a contact gets it, contact by contact; with the sample values while there is none. */
export const RowPreview = ({ row: first, other, lists, campaign, variables, mapping }: Props) => {
  const { t } = useTranslation('campaign')
  const { shown } = useColorMode()
  const [place, setPlace] = useState(1)
  const [variant, setVariant] = useState<'a' | 'b'>('a')
  const found = useContact(campaign, lists[0], place)
  const row = variant === 'b' ? (other ?? first) : first
  const colors = CHAT_COLORS[shown]
  if (row === undefined) return <Text color="fg.muted">{t('create.nopreview')}</Text>
  const template = templateOf(row)
  const [contact] = found?.items ?? []
  const total = found?.total ?? 0
  const drawn =
    contact === undefined ? template : filled(template, mappedValues(variables, mapping, contact, row.language).values)
  return (
    <Box borderWidth="1px" borderRadius="lg" overflow="hidden" bg="bg.surface">
      <HStack px="3" minH="44px" gap="1">
        <Text textStyle="card" flex="1" aria-live="polite">
          {contact === undefined
            ? t('create.samples')
            : t('create.row', { place: countText(place), total: countText(total) })}
        </Text>
        {contact === undefined ? null : (
          <>
            <IconButton
              icon={ChevronLeft}
              label={t('create.rowbefore')}
              disabled={place === 1}
              onClick={() => setPlace(place - 1)}
            />
            <IconButton
              icon={ChevronRight}
              label={t('create.rowafter')}
              disabled={place >= total}
              onClick={() => setPlace(place + 1)}
            />
          </>
        )}
      </HStack>
      {other === undefined ? null : (
        <Box px="3" pb="3">
          <VariantChoice value={variant} onChange={setVariant} />
        </Box>
      )}
      <Box p="3" display="grid" gap="2" style={{ background: colors.ground }}>
        <Bubble template={drawn} colors={colors} />
        <Cards cards={drawn.cards} colors={colors} label={t('report.cards')} />
      </Box>
    </Box>
  )
}
