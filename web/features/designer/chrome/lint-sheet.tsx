import { Button, chakra, HStack, Kbd } from '@chakra-ui/react'
import { CircleAlert, CircleCheck, TriangleAlert, X } from 'lucide-react'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import type { LintFinding } from '#domain/flow/lint/lint-flow.ts'
import { Chip } from '#web/components/chip.tsx'
import { IconButton } from '#web/components/hint.tsx'
import { useWords } from '../canvas/canvas-context.ts'
import { useCommands } from '../commands/commands.ts'
import { useMode } from '../mode/mode-context.ts'
import { boxOf, shownTitle, typeName } from '../model/block-appearance.ts'
import { findingMessage } from '../model/finding-messages.ts'
import { bounds, COMFORTABLE } from '../model/geometry.ts'
import { previewOf, previewText } from '../model/preview.ts'
import { sectionTitles } from '../model/reading-order.ts'
import { useStoreValue } from '../model/store.ts'
import { openUses } from '../search/open-search.ts'
import { useDesigner } from '../session/designer.ts'

const Mark = ({ severity }: { readonly severity: LintFinding['severity'] }) => (
  <chakra.span color={severity === 'error' ? 'danger.fg' : 'warning.fg'} flex="none">
    {severity === 'error' ? <CircleAlert size={16} aria-hidden /> : <TriangleAlert size={16} aria-hidden />}
  </chakra.span>
)

/** Which of several blocks of a type is meant: its title, or what it says. */
const Which = ({ finding }: { readonly finding: LintFinding }) => {
  const words = useWords()
  const { canvas } = useDesigner()
  const node = useStoreValue(canvas.flow, flow => flow.nodes.get(finding.block))
  if (node === undefined) return null
  const title = shownTitle(node, words)
  const text = title.own ? title.text : previewText(previewOf(node, words))
  return text === '' ? null : (
    <chakra.small display="block" color="fg.muted" lineClamp={1}>
      {text}
    </chakra.small>
  )
}

/** Findings to fix before the flow goes live: errors first, each with a fix. */
export const LintSheet = () => {
  const { t } = useTranslation('designer')
  const words = useWords()
  const designer = useDesigner()
  const { findings, canvas, mayEdit } = designer
  const { send } = useMode()
  const commands = useCommands()
  const found = useStoreValue(findings)
  const flow = useStoreValue(canvas.flow)
  const selection = useStoreValue(canvas.selection)
  const sections = sectionTitles(flow, words)
  const errors = found.filter(({ severity }) => severity === 'error').length
  const nameOf = ({ block }: LintFinding) => {
    const node = flow.nodes.get(block)
    return node === undefined ? t('lint.flow') : typeName(node.type, words)
  }
  const groups = Map.groupBy(found, ({ severity, block }) => `${severity}\n${sections.get(block) ?? ''}`)
  const addStart = () => {
    const first = bounds([...flow.nodes.values()].map(node => boxOf(node, COMFORTABLE))) ?? { x: 0, y: 0 }
    commands.addAt('start', { x: first.x + COMFORTABLE.width / 2, y: first.y - COMFORTABLE.height })
  }
  const mend = ({ code, block, field, name = '' }: LintFinding) => {
    if (code === 'flow.start') addStart()
    else if (code === 'variable.unused') openUses(designer, send, { of: 'variable', value: name })
    else commands.show(block, field)
  }
  return (
    <chakra.section className="pl-sheet" aria-label={t('lint.title')}>
      <HStack px="3.5" py="2.5" gap="2">
        <chakra.h2 fontSize="md">{t('lint.title')}</chakra.h2>
        {errors > 0 ? (
          <Chip tone="danger">
            <CircleAlert size={13} aria-hidden />
            <span>{t('lint.errors', { count: errors })}</span>
          </Chip>
        ) : null}
        {found.length > errors ? (
          <Chip tone="warning">
            <TriangleAlert size={13} aria-hidden />
            <span>{t('lint.warnings', { count: found.length - errors })}</span>
          </Chip>
        ) : null}
        <chakra.span flex="1" />
        <chakra.span fontSize="xs" color="fg.muted">
          <Kbd>F8</Kbd> {t('lint.next')}
        </chakra.span>
        <IconButton icon={X} label={t('close')} size="xs" onClick={() => send({ type: 'CLOSE' })} />
      </HStack>
      <chakra.ul overflowY="auto" listStyleType="none" m="0">
        {[...groups].map(([key, findings]) => (
          <Fragment key={key}>
            {key.endsWith('\n') ? null : (
              <chakra.li px="3.5" pt="3" pb="1" fontSize="xs" fontWeight="semibold" color="fg.muted">
                {key.slice(key.indexOf('\n') + 1)}
              </chakra.li>
            )}
            {findings.map(finding => (
              <chakra.li
                key={`${finding.block} ${finding.code} ${finding.field ?? ''} ${finding.check ?? ''} ${finding.name ?? ''}`}
                display="flex"
                alignItems="center"
                gap="2.5"
                px="3.5"
                minH="10"
                borderTopWidth="1px"
                fontSize="sm"
                bg={selection.blocks.has(finding.block) ? 'accent.subtle' : undefined}
              >
                <Mark severity={finding.severity} />
                <chakra.span flex="1" py="1.5">
                  <b>{nameOf(finding)}</b> {findingMessage(finding, flow, words)}
                  <Which finding={finding} />
                </chakra.span>
                {finding.code === 'flow.start' && !mayEdit ? null : (
                  <Button variant="plain" size="xs" onClick={() => mend(finding)}>
                    {t(`lint.fix.${finding.code.replace('.', '_')}`)}
                  </Button>
                )}
              </chakra.li>
            ))}
          </Fragment>
        ))}
      </chakra.ul>
      {found.length === 0 ? (
        <HStack px="3.5" pb="3" gap="2" fontSize="sm" color="positive.fg">
          <CircleCheck size={16} aria-hidden />
          {t('lint.clean')}
        </HStack>
      ) : null}
    </chakra.section>
  )
}
