import { expect, it } from 'vitest';
import { stem } from '../../src/search/stem.ts';

// Each line has the forms of one word, by the step of the algorithm that must find their common stem.
const forms = {
  plurals: [
    'class classes',
    'query queries queried querying',
    'tie ties tied tying',
    'status',
    'process processes processed processing',
    'gas',
    'pr prs',
    'pdf pdfs',
    'analysis analyses',
    'bias biases biased',
    'sky skies',
  ],
  'the past': [
    'agree agrees agreed',
    'feed feeds',
    'create creates created creating',
    'enable enabled enabling',
    'size sized sizing',
    'plan planned planning',
    'plane planes',
    'add added adding',
    'ad ads',
    'hope hoped hoping',
    'hop hopped hopping',
    'fill filled filling',
    'run running',
    'sing sings',
    'bring',
    'repeated repeatedly',
    'exceed exceeds exceeding exceeded exceedingly',
    'proceed proceeding',
    'succeed succeeded',
    'evening evenings',
    'even evens',
  ],
  'a `y`': [
    'deploy deploys deployed deploying deployment deployments',
    'employ employer employment',
    'play plays playing',
    'happy',
    'early',
    'ear ears',
    'only',
    'on',
    'ugly',
    'say saying',
    'yield yielding',
  ],
  'derived words': [
    'tokenize tokenizer tokenization',
    'relate relation relational',
    'condition conditional conditionally',
    'compute computation computational computationally',
    'different differently difference',
    'hopeful hopefulness hopefully',
    'useless uselessly',
    'nervous nervously nervousness',
    'sensitive sensitivity sensitiveness',
    'available availability availably',
    'possible possibly',
    'biology biological',
    'pedagogy pedagogical',
    'formal formalism formality formally formalize',
    'efficient efficiently efficiency',
    'relevant relevance relevancy',
    'translate translator translation',
    'duplicate duplication',
    'electric electrical electricity',
    'quick quickly quickness',
    'gentle gently',
    'profession professional professionals',
    'decide decided',
    'general generally',
    'generate generation generative generator',
    'community communities',
    'arsenal',
    'arsenic',
  ],
  endings: [
    'adjust adjustable adjustment',
    'replace replacement',
    'depend dependent dependence',
    'activate activated activating activation active',
    'homolog homologous',
    'communicate communication',
    'effect effective',
    'control controlled controlling',
    'rate',
    'rat rats',
    'news',
    'new',
    'data',
  ],
};

it.each(Object.entries(forms))('gives the forms of a word one stem, and other words another: %s', (_, lines) => {
  const stems = lines.map((line) => [...new Set(line.split(' ').map(stem))]);
  expect(stems.map((found) => found.join(' '))).toEqual(stems.map(([first]) => first));
  expect(new Set(stems.flat()).size).toBe(lines.length);
});

const exact =
  'gas:gas this:this yes:yes feed:feed string:string red:red blended:blend seized:seiz tabled:tabl family:famili fly:fli ' +
  'alley:alley daily:daili unlikely:unlik informative:inform native:nativ adoption:adopt fusion:fusion region:region ' +
  'opinion:opinion expression:express install:instal skill:skill cease:ceas rate:rate';

it.each(exact.split(' ').map((pair) => pair.split(':')))('leaves of %s what the algorithm leaves: %s', (word, left) => {
  expect(stem(word ?? '')).toBe(left);
});

it('leaves short words and other letters alone', () => {
  const words = ['is', 'as', 'naïves', 'k8s', 'ids2', '東京s'];
  expect(words.map(stem)).toEqual(words);
});
