import {
  Crosshair,
  Download,
  Expand,
  FileText,
  Group,
  Link2,
  ListTree,
  type LucideIcon,
  Maximize,
  MessageSquare,
  Plus,
  Replace,
  Rocket,
  Route,
  Rows3,
  Search,
  TextSearch,
  Upload,
  Waypoints,
  Workflow,
} from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { type Entry, registerPageEntries } from '#web/shell/recent-entry.ts'
import type { Commands } from '../commands/commands.ts'
import type { Mode } from '../mode/mode-context.ts'
import { isMarker } from '../model/block-appearance.ts'
import { findBlocks } from '../model/block-text.ts'
import { plainTitle, type Translate } from '../model/label.ts'
import { previewOf, previewText } from '../model/preview.ts'
import { readingOrder, sectionTitles } from '../model/reading-order.ts'
import { openSearch, openUses } from '../search/open-search.ts'
import type { Designer } from '../session/designer.ts'

/** More than a user reads; a longer search narrows the list. */
const MAX_ENTRIES = 40

const blockEntries = (designer: Designer, commands: Commands, words: Translate, search: string): readonly Entry[] => {
  const flow = designer.canvas.flow.get()
  const found = search === '' ? readingOrder(flow) : findBlocks(flow, search, words)
  const sections = sectionTitles(flow, words)
  return found.slice(0, MAX_ENTRIES).flatMap((id): readonly Entry[] => {
    const node = flow.nodes.get(id)
    if (node === undefined) return []
    const title = plainTitle(node, words)
    const preview = isMarker(node) ? '' : previewText(previewOf(node, words))
    const section = sections.get(id) ?? ''
    const beside = [section === title ? '' : section, preview.slice(0, 90)].filter(text => text !== '')
    const run = () => commands.show(id)
    return [{ id, group: 'block', icon: Crosshair, words: title, beside: beside.join(' · '), run }]
  })
}

/** Offers the open flow to the command palette: `#` its blocks, `>` what can be done here. */
export const usePageEntries = (
  designer: Designer,
  commands: Commands,
  { mode, send }: Mode,
  words: Translate,
  mayPublish: boolean,
  mayEdit: boolean,
): void => {
  const { t } = useTranslation('designer')
  useEffect(() => {
    if (mode !== 'edit') return
    const action = (id: string, icon: LucideIcon, label: string, run: () => void, keys?: string): Entry => ({
      id: `flow-${id}`,
      group: 'act',
      icon,
      words: label,
      run,
      ...(keys === undefined ? {} : { keys }),
    })
    return registerPageEntries({
      blocks: search => blockEntries(designer, commands, words, search),
      actions: () => [
        ...(mayEdit ? [action('add', Plus, t('tool.add'), () => commands.openAdd(), 'A')] : []),
        action('find', Search, t('tool.find'), () => send({ type: 'FIND' }), 'Ctrl F'),
        ...(mayEdit
          ? [
              action(
                'replace',
                Replace,
                t('keys.replace'),
                () => openSearch(designer, send, { scope: 'flow', isReplacing: true }),
                'Ctrl H',
              ),
            ]
          : []),
        action('search', TextSearch, t('keys.search'), () => openSearch(designer, send, { scope: 'bot' }), 'Ctrl ⇧ F'),
        action('uses', Waypoints, t('keys.uses'), () => openUses(designer, send), 'U'),
        action('usesHere', Waypoints, t('uses.ofThis'), () =>
          openUses(designer, send, { of: designer.address.kind, value: designer.address.id }),
        ),
        action('outline', ListTree, t('bar.outline'), () => send({ type: 'OUTLINE' }), 'O'),
        action('track', Route, t('track.title'), () => send({ type: 'TRACK' }), 'T'),
        action('comments', MessageSquare, t('bar.comments'), () => send({ type: 'COMMENTS' }), 'C'),
        ...(designer.canvas.selection.get().blocks.size === 1
          ? [action('link', Link2, t('inspector.copyLink'), () => commands.copyLink())]
          : []),
        ...(mayEdit && designer.canvas.selection.get().blocks.size > 0
          ? [action('group', Group, t('tool.group'), commands.group, 'G')]
          : []),
        action('fit', Maximize, t('tool.fit'), commands.fit, '⇧1'),
        action('compact', Rows3, t('keys.compact'), commands.toggleCompact, 'D'),
        ...(mayEdit ? [action('tidy', Workflow, t('tool.tidy'), commands.tidy)] : []),
        ...(mayPublish ? [action('publish', Rocket, t('bar.publish'), () => send({ type: 'PUBLISH' }))] : []),
        ...(mayEdit ? [action('import', Upload, t('bar.import'), commands.importFile)] : []),
        action('export', Download, t('bar.export'), commands.exportFile),
        action('pdf', FileText, t('bar.pdf'), commands.exportPdf),
        action('full', Expand, t('tool.full'), () => send({ type: 'FULLSCREEN' })),
      ],
    })
  }, [designer, commands, mode, send, words, mayPublish, mayEdit, t])
}
