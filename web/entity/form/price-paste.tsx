import { Box, Button, chakra, HStack, Stack, Text, Textarea } from '@chakra-ui/react'
import { ClipboardPaste } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { countryReader, type PriceRow, readPastedPrices, withPasted } from '#domain/campaign/price-paste.ts'
import { LANGUAGES } from '#schemas/language.ts'
import type { Value } from '#web/entity/entity-query.ts'
import { numberText } from '#web/format/number.ts'
import type { SectionPreviewProps } from './section-control-props.ts'

/** Lines that are named when they could not be read. */
const SHOWN_FAULTS = 5

const readCountry = countryReader(LANGUAGES)

/** Takes rows that were copied from a spreadsheet into the price list. */
export const PricePaste = ({ values, readOnly, onChange }: SectionPreviewProps) => {
  const { t } = useTranslation('entity/pricelist')
  const id = useId()
  const [text, setText] = useState('')
  const pasted = readPastedPrices(text, readCountry)
  const rows = (Array.isArray(values.rows) ? values.rows : []) as readonly PriceRow[]
  const take = () => {
    onChange('rows', withPasted(rows, pasted.rows) as unknown as Value)
    setText('')
  }
  if (readOnly) return null
  return (
    <chakra.section
      aria-labelledby={id}
      position={{ xl: 'sticky' }}
      top="4"
      borderWidth="1px"
      borderRadius="lg"
      bg="bg.surface"
      p="4"
    >
      <Text as="h3" id={id} textStyle="card" mb="1">
        {t('paste.title')}
      </Text>
      <Text textStyle="dense" color="fg.muted" mb="3">
        {t('paste.hint')}
      </Text>
      <Stack gap="3">
        <Textarea
          aria-label={t('paste.label')}
          placeholder={t('paste.example')}
          fontFamily="mono"
          rows={6}
          value={text}
          onChange={event => setText(event.target.value)}
        />
        <Box role="status" textStyle="dense">
          {text.trim() === '' ? null : (
            <Text>{t('paste.found', { count: pasted.rows.length, shown: numberText(pasted.rows.length) })}</Text>
          )}
          {pasted.unread.length === 0 ? null : (
            <Text color="warning.fg">
              {t('paste.unread', { count: pasted.unread.length, shown: numberText(pasted.unread.length) })}{' '}
              {pasted.unread
                .slice(0, SHOWN_FAULTS)
                .map(({ line, text: cell }) => t('paste.line', { line, text: cell }))
                .join('; ')}
            </Text>
          )}
        </Box>
        <HStack>
          <Button type="button" disabled={pasted.rows.length === 0} onClick={take}>
            <ClipboardPaste size={15} aria-hidden="true" />
            {t('paste.take')}
          </Button>
        </HStack>
      </Stack>
    </chakra.section>
  )
}
