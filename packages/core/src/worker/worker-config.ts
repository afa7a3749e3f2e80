import type { StoryWorker } from '@saga-ai/types/plan/model-settings';
import { type ConfigSources, loadConfig } from '../plan/config.ts';
import { loadStory } from '../plan/stories.ts';
import type { Paths } from '../project/paths.ts';

/**
 * Loads the settings for a worker of one story. The story's own settings win over the settings files. A flag or a
 * variable wins over the story.
 */
export function loadWorkerConfig(
  paths: Paths,
  storyId: string,
  sources: ConfigSources,
): ReturnType<typeof loadConfig>['config'] {
  const { config, origins } = loadConfig(paths, sources);
  const own: StoryWorker = loadStory(paths, storyId).story.worker ?? {};
  const chosen = Object.entries(own).filter(([key]) => {
    const origin = origins.get(`worker.${key}`);
    return origin !== 'flag' && origin !== 'environment';
  });
  return { ...config, worker: { ...config.worker, ...Object.fromEntries(chosen) } };
}
