import { Box, chakra, HStack, Text } from '@chakra-ui/react'
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lintTemplate, type TemplateFault } from '#domain/template/lint.ts'
import { type Template, templateOf } from '#domain/template/template.ts'
import type { Json } from '#schemas/event.ts'
import { Segments } from '#web/components/segments.tsx'
import { useLabel } from '#web/entity/label.ts'
import { type FormValues, fieldOfPath } from '#web/form/form-value.ts'
import { useProblemText } from '#web/form/use-problem-text.ts'
import type { SectionPreviewProps } from '../section-control-props.ts'
import { Bubble, Cards, CHAT_COLORS } from './bubble.tsx'

/** Form values as fields; missing values become null. */
const fieldsOf = (values: FormValues): Readonly<Record<string, Json>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, (value ?? null) as Json]))

/** Shows the item with a fault where a list has tabs, then focuses its field. */
const showFault = (path: string) => {
  const [field = '', place = ''] = path.split('.')
  const tab = document.querySelector<HTMLElement>(
    `[data-field="${CSS.escape(field)}"] [data-tab="${CSS.escape(place)}"]:not([aria-selected=true])`,
  )
  tab?.click()
  if (tab === null) focusFault(path)
  else requestAnimationFrame(() => focusFault(path))
}

const focusFault = (path: string) => {
  const field = fieldOfPath(path)
  const box = document.querySelector(`[data-field="${CSS.escape(field)}"]`)
  const member = path.slice(field.length + 1)
  const inner = member === '' ? null : box?.querySelector(`[data-member="${CSS.escape(member)}"]`)
  const target = inner ?? box
  target?.scrollIntoView({ block: 'center' })
  target?.querySelector<HTMLElement>(':is(input, textarea, select, [contenteditable=true], button)')?.focus()
}

const FaultLine = ({
  fault,
  where,
  text,
}: {
  readonly fault: TemplateFault
  readonly where: string
  readonly text: string
}) => {
  const isWarning = fault.level === 'warning'
  const Icon = isWarning ? TriangleAlert : CircleAlert
  return (
    <chakra.li borderTopWidth="1px" listStyleType="none">
      <chakra.button
        type="button"
        w="full"
        display="flex"
        alignItems="flex-start"
        gap="2"
        px="3"
        py="2"
        textAlign="start"
        textStyle="dense"
        cursor="pointer"
        _hover={{ bg: 'bg.subtle' }}
        onClick={() => showFault(fault.path)}
      >
        <Box color={isWarning ? 'warning.fg' : 'danger.fg'} pt="0.5" flex="none">
          <Icon size={15} aria-hidden="true" />
        </Box>
        <Box minW="0">
          <Text as="span" fontWeight="medium">{`${where}: `}</Text>
          <Text as="span" color="fg.muted">
            {text}
          </Text>
        </Box>
      </chakra.button>
    </chakra.li>
  )
}

/** Meta's reasons for rejection, and warnings; a click focuses the field. */
const Checks = ({ template }: { readonly template: Template }) => {
  const { t } = useTranslation('entity/template')
  const label = useLabel()
  const problem = useProblemText()
  const faults = lintTemplate(template)
  const errors = faults.filter(({ level }) => level !== 'warning').length
  return (
    <Box borderWidth="1px" borderRadius="lg" bg="bg.surface" overflow="hidden" mt="3">
      <HStack px="3" py="2.5" justify="space-between">
        <Text textStyle="dense" fontWeight="semibold">
          {t('preview.checks')}
        </Text>
        <HStack gap="2" textStyle="dense">
          {errors > 0 ? <Text color="danger.fg">{errors}</Text> : null}
          {faults.length > errors ? <Text color="warning.fg">{faults.length - errors}</Text> : null}
        </HStack>
      </HStack>
      {faults.length === 0 ? (
        <HStack px="3" py="2" borderTopWidth="1px" gap="2" textStyle="dense">
          <Box color="positive.fg">
            <CircleCheck size={15} aria-hidden="true" />
          </Box>
          {t('preview.fine')}
        </HStack>
      ) : (
        <chakra.ul>
          {faults.map(fault => (
            <FaultLine
              key={`${fault.path} ${fault.rule}`}
              fault={fault}
              where={label.path('template', fault.path)}
              text={problem('field.template', {
                rule: fault.rule,
                ...(fault.max === undefined ? {} : { max: fault.max }),
              })}
            />
          ))}
        </chakra.ul>
      )}
    </Box>
  )
}

/** Live preview of a template as people receive it, with faults that block its submission. */
export const TemplatePreview = ({ values }: SectionPreviewProps) => {
  const { t } = useTranslation('entity/template')
  const [appearance, setAppearance] = useState<'light' | 'dark'>('light')
  const template = templateOf(fieldsOf(values))
  const colors = CHAT_COLORS[appearance]
  return (
    <chakra.section aria-label={t('preview.title')} position={{ xl: 'sticky' }} top="4" maxW="420px">
      <HStack justify="flex-end" mb="2">
        <Segments
          label={t('preview.appearance')}
          value={appearance}
          options={[
            { value: 'light', label: t('preview.light') },
            { value: 'dark', label: t('preview.dark') },
          ]}
          onChange={value => setAppearance(value === 'dark' ? 'dark' : 'light')}
        />
      </HStack>
      <Box p="6px" bg="black" borderRadius="28px" w="full" maxW="330px" mx="auto">
        <Box borderRadius="22px" overflow="hidden" minH="420px" p="3" style={{ background: colors.ground }}>
          <Text textAlign="center" fontSize="12px" mb="3" style={{ color: colors.muted }}>
            {t('preview.today')}
          </Text>
          <Box display="grid" gap="2">
            <Bubble template={template} colors={colors} />
            <Cards cards={template.cards} colors={colors} label={t('section.cards.title')} />
          </Box>
        </Box>
      </Box>
      <Checks template={template} />
    </chakra.section>
  )
}
